import { msg } from '@lingui/core/macro'
import type { Sentences } from '../platform/locales/sentences'

/** The sentences shown by the script that pays with a wallet in this browser. */
export const paymentSentences = {
  cancelled: msg`You cancelled in your wallet. Nothing was sent. The other two ways below still work.`,
  busy: msg`Your wallet is already asking you something. Please check it.`,
  offline: msg`Your wallet lost its connection. Nothing was sent. The other two ways below still work.`,
  offlineSending: msg`Your wallet lost its connection. Check there whether it sent anything before you try again.`,
  silent: msg`Your wallet didn't respond. Nothing was sent. The other two ways below still work.`,
  silentSending: msg`Your wallet didn't respond. Check there whether it sent anything before you try again.`,
  late: msg`Your wallet hasn't answered yet. Open it and look for a question, or press the button again. The other two ways below still work.`,
  lateSending: msg`Your wallet hasn't answered yet. Open it and look for a question. Check there whether it sent anything before you try again.`,
  notLoaded: msg`We couldn't load part of this page. Nothing was sent. Reload the page, or use one of the other two ways below.`,
  give: msg({ message: 'You give {amount} to {cause}. Open your wallet and choose an account.' }),
  noAccount: msg`Your wallet didn't share an account. Nothing was sent. The other two ways below still work.`,
  otherAccount: msg({
    message: 'Choose the account {account} in your wallet, then try again. Nothing was sent.',
  }),
  checking: msg`Checking the payment…`,
  ready: msg({ message: 'Ready: {amount} to {cause}. Confirm it in your wallet.' }),
  approved: msg`Sent. This page shows the new allowance a few minutes after the blockchain has it.`,
  pay: msg({ message: 'Pay {amount}', comment: 'A button' }),
  payWith: msg({ message: 'Pay {amount} with {wallet}', comment: 'A button. wallet: the name of an app' }),
  notEnough: msg({ message: "This account doesn't have that much {symbol}. Nothing was sent." }),
  networkRefuses: msg`The network would refuse this payment, so nothing was sent. Do you have enough for the fee?`,
  tokenRefuses: msg`The token would refuse this payment, so nothing was sent.`,
  noTransaction: msg`Your wallet returned no transaction. Check there whether it sent anything before you try again.`,
  cannotSwitch: msg({
    message: "Your wallet can't switch to {network}. Add that network in the wallet, then try again.",
  }),
  otherNetwork: msg({
    message: 'Your wallet is still on another network. Switch it to {network}, then try again.',
  }),
} satisfies Sentences
