import { msg } from '@lingui/core/macro'
import { address, handle, line, link } from '../acts/forms/fields'
import type { Kind } from '../acts/forms/kind'
import { shortHash } from '../ledger/short-hash'

/** The act about the people who hold keys of our wallets. */
export const custodyActs = {
  holder: {
    title: msg`Say who holds a key`,
    done: msg`Said who holds a key`,
    people: 2,
    effect: msg`Everyone can read it beside the key. People who are known to hold keys to money are threatened and robbed: a role is enough, and never a place or a photograph. The rest is only for holders who want it.`,
    subject: 'none',
    fields: [
      address('key', msg`Key`, {
        hint: msg`The address of the key: an owner of one of our Safes, or one of our wallets with one key.`,
      }),
      line('role', msg`Role`, { shortest: 2, longest: 100, hint: msg`Like "board member, Europe".` }),
      handle('handle', msg`Handle`, {
        optional: true,
        hint: msg`If the holder is an operator and wants it.`,
      }),
      line('words', msg`What the holder says`, { optional: true, longest: 200 }),
      link('link', msg`A page of the holder`, {
        optional: true,
        hint: msg`Everyone can read all of this. Two operators can withdraw it.`,
      }),
    ],
    shortestReason: 0,
    hasNoReason: true,
    nameOf: shortHash,
    pageOf: () => '/transparency/wallets',
  },
} satisfies Record<string, Kind>
