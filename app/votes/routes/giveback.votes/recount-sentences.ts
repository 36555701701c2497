import { msg } from '@lingui/core/macro'
import { logCheckSentences } from '~/ledger/log-check-sentences'
import type { Sentences } from '~/platform/locales/sentences'

/** The sentences of the count in the browser (recount.ts, recount-button.ts). */
export const recountSentences = {
  ...logCheckSentences,
  recount: msg({ message: 'Count again in this browser', comment: 'A button' }),
  notLoaded: msg`We couldn't load the check. Please try again.`,
  noVote: msg`There is no vote here yet.`,
  allGood: msg({ message: 'It matches what we published.', comment: 'Before what was checked' }),
  recounted: msg({
    message:
      '{ballots, plural, one {Your browser checked the signature of # ballot and counted it again, and its entries are in the signed log.} other {Your browser checked the signatures of # ballots and counted them again, and their entries are in the signed log.}}',
    comment: 'its, their: of the vote and of its ballots',
  }),
  sums: msg({
    message: 'Support: {support} tokens. Against: {against} tokens.',
    comment: 'support, against: numbers',
  }),
  mean: msg({ message: 'The mean by weight: {shares}.', comment: 'shares: "Education 30%, Relief 10%"' }),
  won: msg({ message: 'The vote was won.', comment: 'After the sums of a vote on a goal' }),
  'not won': msg({ message: 'The vote was not won.', comment: 'After the sums of a vote on a goal' }),
  valid: msg({ message: 'The result is valid.', comment: 'Of a vote on the split of the fees' }),
  'not valid': msg({ message: 'The result is not valid.', comment: 'Of a vote on the split of the fees' }),
  void: msg({
    message: 'This vote is void: the log says that a block changed.',
    comment: 'void: its ballots count no more',
  }),
  unfinished: msg({
    message:
      'There is no signed result. Ballots after number {number}, a newer vote and a result may be missing from this file: the program below reads all with --whole.',
    comment: 'number: of the last ballot',
  }),
  unsignedEntries: msg({
    message:
      '{entries, plural, one {Not signed yet, and not counted: # entry of this vote.} other {Not signed yet, and not counted: # entries of this vote.}}',
  }),
  otherRoot: msg`The tiles of the log don't match the signed checkpoint.`,
  broken: msg({
    message: 'Something is wrong with this vote. The program below says in English what:',
    comment: 'Before a sentence in English',
  }),
  notCheckedWeights: msg({
    message:
      'whether each wallet held so many tokens at the block that counts (the program below asks the blockchain), whether we refused a ballot',
    comment: 'After "Not checked:"',
  }),
} satisfies Sentences
