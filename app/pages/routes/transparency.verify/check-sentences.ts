import { msg } from '@lingui/core/macro'
import { logCheckSentences } from '~/ledger/log-check-sentences'
import type { Sentences } from '~/platform/locales/sentences'

/** The sentences that the script of /transparency/verify shows (check-log.ts). */
export const checkSentences = {
  ...logCheckSentences,
  keptCheckpoint: msg({
    message: 'A checkpoint you saved (optional)',
    comment: 'Name of a field for a file',
  }),
  keptCheckpointHint: msg`It stays on your device.`,
  checkLog: msg({ message: 'Check the whole log', comment: 'A button' }),
  noEntry: msg`The checkpoint covers no entry, so there is nothing to check.`,
  unusable: msg({ message: "We can't use {file}.", comment: 'file: the name of a file. Before the reason' }),
  tooManyUnsigned: msg`The download has too many entries that are not signed. We stopped.`,
  malformed: msg({ message: 'Entry {index} is not written as the format says.', comment: 'index: a number' }),
  missingAct: msg({
    message: 'Acts are missing: act {number} is not at entry {index}.',
    comment: 'An act of an operator of the site. number, index: numbers',
  }),
  actWithoutEffect: msg({
    message: 'Entry {index} is an act without its effect: it must follow the entry that it made.',
    comment: 'index: a number',
  }),
  changed: msg({
    message:
      "{entries, plural, one {Something was changed: the first # entry doesn't match the signed checkpoint.} other {Something was changed: the first # entries don't match the signed checkpoint.}}",
  }),
  changedSinceKept: msg({
    message:
      "{entries, plural, one {Something was changed: the first # entry doesn't match the checkpoint you saved.} other {Something was changed: the first # entries don't match the checkpoint you saved.}}",
  }),
  missing: msg({
    message:
      '{entries, plural, one {Rows are missing: the download has # entry, but the signed checkpoint covers {size}.} other {Rows are missing: the download has # entries, but the signed checkpoint covers {size}.}}',
    comment: 'size: a number of entries',
  }),
  missingOfKept: msg({
    message:
      '{entries, plural, one {Rows are missing: the download has # entry, but the checkpoint you saved covers {size}.} other {Rows are missing: the download has # entries, but the checkpoint you saved covers {size}.}}',
    comment: 'size: a number of entries',
  }),
  shrunk: msg({
    message:
      '{entries, plural, one {Rows are missing: the checkpoint you saved covers # entry, but the log now has {size}.} other {Rows are missing: the checkpoint you saved covers # entries, but the log now has {size}.}}',
    comment: 'size: a number of entries',
  }),
  otherLog: msg({
    message: 'The checkpoint you saved is from another log: {origin}.',
    comment: 'origin: the name of a log',
  }),
  rewritten: msg`The past was rewritten: the log doesn't match the checkpoint you saved.`,
  good: msg({
    message:
      '{entries, plural, one {It matches. Your browser checked # entry, and it has the fingerprint that we signed as {origin}.} other {It matches. Your browser checked # entries, and they have the fingerprint that we signed as {origin}.}}',
    comment: 'origin: the name of a log',
  }),
  goodUnsigned: msg({
    message:
      '{entries, plural, one {Your browser checked # entry, and it has the fingerprint in the checkpoint.} other {Your browser checked # entries, and they have the fingerprint in the checkpoint.}}',
  }),
  notSigned: msg({
    message:
      '{entries, plural, one {Not signed yet: # entry after that.} other {Not signed yet: # entries after that.}}',
  }),
  unchanged: msg({
    message:
      '{entries, plural, one {Nothing has changed in the first # entry since the checkpoint you saved.} other {Nothing has changed in the first # entries since the checkpoint you saved.}}',
  }),
  notCheckedPast: msg({
    message: 'whether anything was rewritten before we signed this checkpoint',
    comment: 'After "Not checked:"',
  }),
  notCheckedNotes: msg({
    message: 'the notes (what the money was for) and the links',
    comment: 'After "Not checked:"',
  }),
  notCheckedPayments: msg({ message: 'whether the payments took place', comment: 'After "Not checked:"' }),
} satisfies Sentences
