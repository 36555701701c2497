import { msg } from '@lingui/core/macro'
import type { Sentences } from '../platform/locales/sentences'

/** The sentences of the script that checks cosignatures (check-witnesses.ts). */
export const witnessSentences = {
  notCosigned: msg`No one else has cosigned this yet.`,
  cosignedToday: msg({
    message:
      '{all, plural, one {Cosigned by {count} of # witness, the last at {time} UTC: {names}.} other {Cosigned by {count} of # witnesses, the last at {time} UTC: {names}.}}',
    comment: 'count: a number; time: 14:05, of today; names: the names of witnesses',
  }),
  cosigned: msg({
    message:
      '{all, plural, one {Cosigned by {count} of # witness, the last on {day} at {time} UTC: {names}.} other {Cosigned by {count} of # witnesses, the last on {day} at {time} UTC: {names}.}}',
    comment: 'count: a number; day: 20 Nov 2026; time: 14:05; names: the names of witnesses',
  }),
  quorum: msg({ message: 'At least {quorum} must.', comment: 'After how many witnesses have cosigned' }),
} satisfies Sentences
