import { msg } from '@lingui/core/macro'
import { address, choice, email } from '../acts/forms/fields'
import type { ActSubject, Kind } from '../acts/forms/kind'
import { key } from '../platform/locales/key'
import { allLocales, publishedLocales } from '../platform/locales/locales'

const answerName = (number: string) => `#${number}`
const walletPage = ({ subject }: ActSubject) => subject && `/transparency?q=${subject}#history`

/** The acts about what recipients say. */
export const arrivalActs = {
  contact: {
    title: msg`Enter the address of a recipient`,
    done: msg`Entered the email address of a recipient`,
    people: 2,
    effect: msg`After each later payment to this wallet, the site mails a link to this address. No operator sees the link. Everyone sees who entered the address, and never the address.`,
    subject: 'none',
    fields: [
      address('to', msg`Recipient`, { hint: msg`The wallet that receives the payments.` }),
      email('email', msg`Email address`, {
        optional: true,
        isPrivate: true,
        hint: msg`Of who owns this wallet, and not yours. They must expect our emails. Empty: no emails any more.`,
      }),
      choice('language', msg`Language`, {
        options: publishedLocales.map((code) => ({
          value: code,
          label: key(allLocales.get(code)?.name ?? code),
        })),
      }),
      choice('who', msg`Who it is`, {
        options: [
          { value: 'organisation', label: msg`An organisation or a shop` },
          { value: 'person', label: msg`A private person: no name is asked or shown` },
          {
            value: 'exchange',
            label: msg`An account at an exchange, which can't sign: everyone can read that, and no name is asked`,
          },
        ],
      }),
    ],
    shortestReason: 0,
    pageOf: walletPage,
  },
  'arrival-print': {
    title: msg`Print a link for a recipient`,
    done: msg`Printed a link for a recipient`,
    people: 1,
    subject: 'required',
    fields: [],
    shortestReason: 0,
    hasOwnForm: true,
  },
  'answer-words': {
    title: msg`Publish the words of a recipient`,
    done: msg`Published the words of a recipient`,
    people: 1,
    effect: msg`Everyone can read the words from then on. The answer itself is public already. Do not publish what names another person or insults.`,
    subject: 'required',
    fields: [],
    shortestReason: 0,
    nameOf: answerName,
  },
  'answer-rejection': {
    title: msg`Don't publish the words of a recipient`,
    done: msg`Did not publish the words of a recipient`,
    people: 1,
    effect: msg`Everyone can read your reason, and the recipient sees it at their link. The answer itself stays public. It can't be undone.`,
    subject: 'required',
    fields: [],
    shortestReason: 10,
    nameOf: answerName,
  },
} satisfies Record<string, Kind>
