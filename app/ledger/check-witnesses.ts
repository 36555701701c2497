/** Verifies in the browser the cosignatures of the page's checkpoint (witnesses.tsx). Sends nothing. */

import { LogError } from '../log/bytes.ts'
import { parseWitnessKey, readCosignatures } from '../log/cosignature.ts'
import { formatsTag, gap, say, sayCount } from '../platform/locales/say.ts'
import { sayWrong } from './fault.ts'
import type { witnessSentences } from './witness-sentences'

const place = document.querySelector<HTMLElement>('[data-cosigned]')

async function check({ cosigned = '', witnesses = '', quorum = '' }: DOMStringMap): Promise<string> {
  const keys = await Promise.all(witnesses.split(' ').map(parseWitnessKey))
  const found = await readCosignatures(cosigned, keys)
  if (found.length === 0) return say<typeof witnessSentences>('notCosigned')
  const last = new Date(Math.max(...found.map(({ time }) => time)) * 1000)
  const text = last.toISOString()
  const isToday = text.slice(0, 10) === new Date().toISOString().slice(0, 10)
  const cosignatures = sayCount<typeof witnessSentences>(
    isToday ? 'cosignedToday' : 'cosigned',
    keys.length,
    {
      count: `${found.length}`,
      day: last.toLocaleDateString(formatsTag(), { dateStyle: 'medium', timeZone: 'UTC' }),
      time: text.slice(11, 16),
      names: found.map(({ witness }) => witness.name).join(', '),
    },
  )
  if (found.length >= Number(quorum)) return cosignatures
  return `${cosignatures}${gap()}${say<typeof witnessSentences>('quorum', { quorum })}`
}

// Web Crypto exists only in secure contexts; elsewhere the sentence about verify-ledger.mjs stays.
if (place && isSecureContext)
  check(place.dataset).then(
    (text) => {
      place.textContent = text
    },
    (error) => {
      if (error instanceof LogError) place.textContent = sayWrong(error)
    },
  )
