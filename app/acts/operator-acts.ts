import { msg } from '@lingui/core/macro'
import { shortHash } from '../ledger/short-hash'
import { choice, email, handle, line, link } from './forms/fields'
import type { Kind } from './forms/kind'

/** The acts about operators themselves, and the withdrawal of any text. */
export const operatorActs = {
  withdrawal: {
    title: msg`Withdraw a text`,
    done: msg`Withdrew a text`,
    people: 2,
    effect: msg`The text disappears from every page, file and feed for ever. Its hash stays in the log. This can't be undone.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    reasonHint: msg`This reason stays for ever. Don't repeat what you withdraw.`,
    nameOf: shortHash,
  },
  operator: {
    title: msg`Add an operator`,
    done: msg`Added an operator`,
    people: 2,
    effect: msg`The new operator can do everything that you can do here. Their handle becomes public, but their email address does not.`,
    subject: 'none',
    fields: [
      email('email', msg`Email address`, {
        isPrivate: true,
        hint: msg`Of their account. We delete it when this is done, and never publish it.`,
      }),
      handle('handle', msg`Handle`, {
        shortest: 3,
        hint: msg`Public. 3 to 30 of a–z, 0–9 and hyphen, first a letter. It can never be used again.`,
      }),
    ],
    shortestReason: 0,
  },
  'operator-end': {
    title: msg`End an operator`,
    done: msg`Ended an operator`,
    people: 1,
    effect: msg`From then on the operator can do nothing here, and what they proposed can no longer be confirmed. Their handle stays public and can never be used again.`,
    isHarsh: true,
    subject: 'required',
    fields: [],
    shortestReason: 10,
  },
  'schedule-move': {
    title: msg`Move the job to another address`,
    done: msg`Moved the job to another address`,
    people: 2,
    effect: msg`The site at the new address reads the blockchain, signs the log and pays from then on. The former one does none of this any more.`,
    subject: 'none',
    fields: [
      line('site', msg`The new address`, {
        longest: 300,
        hint: msg`The SITE_URL of the new site, such as https://example.org, without a slash at the end.`,
      }),
    ],
    shortestReason: 10,
  },
  introduction: {
    title: msg`Introduce yourself`,
    done: msg({ message: 'Introduced themselves', comment: 'An operator said who they are' }),
    people: 1,
    effect: msg`Everyone can read it on About, beside your handle, until you introduce yourself again or two operators withdraw it.`,
    subject: 'none',
    fields: [
      line('name', msg`Your name`, {
        shortest: 2,
        longest: 60,
        hint: msg`The name by which people know you. Only your own.`,
      }),
      line('role', msg`What you do here`, {
        shortest: 2,
        longest: 100,
        hint: msg`Like "Reads CZ's statements and publishes updates".`,
      }),
      choice('keys', msg`Keys of our wallets`, {
        options: [
          { value: 'holds', label: msg`I hold a key` },
          { value: 'none', label: msg`I hold no key` },
        ],
      }),
      link('link', msg`A page of yours`, {
        optional: true,
        hint: msg`Where readers can see that it's you: best a page that names your handle here.`,
      }),
    ],
    shortestReason: 0,
    hasNoReason: true,
    pageOf: () => '/about',
  },
} satisfies Record<string, Kind>
