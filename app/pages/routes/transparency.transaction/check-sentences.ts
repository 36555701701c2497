import { msg } from '@lingui/core/macro'
import { faultSentences } from '~/ledger/fault-sentences'
import type { Sentences } from '~/platform/locales/sentences'

/** The sentences of the two buttons on a row's page (check-row-button.ts and what it loads). */
export const checkSentences = {
  ...faultSentences,
  checkRow: msg({ message: 'Check this payment', comment: 'A button' }),
  checkRowHint: msg`Your browser recomputes the fingerprints. Nothing is sent.`,
  checkChain: msg({ message: 'Check the blockchain too', comment: 'A button' }),
  checkChainHint: msg({
    message: 'This asks {hosts} for the transaction. They will see your IP address.',
    comment: 'hosts: addresses of one or more servers, "a.example and b.example"',
  }),
  notLoaded: msg`We couldn't load the check. Please try again.`,
  notFinished: msg`We couldn't finish the check. Please try again.`,
  allGood: msg({ message: 'It matches.', comment: 'Before what was checked' }),
  found: msg({
    message:
      'By its fingerprint, this payment is entry {index} of {size} in our signed log: {worth}, from {from} to {to}, transaction {transaction}.',
    comment:
      'index and size: numbers; worth: "$12.50" or one of the two messages about an amount; from, to: addresses',
  }),
  baseUnits: msg({ message: '{amount} base units of {symbol}', comment: 'An amount of a token' }),
  unknownAmount: msg({ message: 'unknown amount', comment: 'In place of "$12.50"' }),
  signed: msg({ message: 'Signed by {origin}.', comment: 'origin: the name of a log' }),
  unsigned: msg`Not checked: the signature, because your browser doesn't support Ed25519. verify-ledger.mjs checks it.`,
  correctionUnchecked: msg`Not checked: what the money was for, and whether we corrected the entry later.`,
  paymentUnchecked: msg`Not checked here: whether the blockchain has the payment, what the money was for, whether we corrected the entry later, and whether the log said something else before.`,
  notInBlock: msg({ message: "{host} doesn't have this transaction in a block.", comment: 'host: a server' }),
  inBlock: msg({
    message: 'According to {host}, the transaction contains this transfer, in block {block}.',
    comment: 'host: a server; block: a number',
  }),
  inBlockOnly: msg({
    message:
      "{host} has this transaction in block {block}, but doesn't show which coins contracts moved in it.",
    comment: 'host: a server; block: a number',
  }),
  noResponse: msg({
    message: "{host} didn't respond, or not with a transaction.",
    comment: 'host: a server',
  }),
} satisfies Sentences
