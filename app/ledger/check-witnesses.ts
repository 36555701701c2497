/**
 * Verifies in the browser the cosignatures of the checkpoint that a page contains (witnesses.tsx), and writes the result
 * into the page. It sends nothing.
 */
import { LogError } from '../log/bytes.ts'
import { parseWitnessKey, readCosignatures } from '../log/cosignature.ts'

const place = document.querySelector<HTMLElement>('[data-cosigned]')

async function check({ cosigned = '', witnesses = '', quorum }: DOMStringMap): Promise<string> {
  const keys = await Promise.all(witnesses.split(' ').map(parseWitnessKey))
  const found = await readCosignatures(cosigned, keys)
  if (found.length === 0) return 'No one else has cosigned this yet.'
  const last = new Date(Math.max(...found.map(({ time }) => time)) * 1000).toISOString()
  const day = last.slice(0, 10)
  const isToday = day === new Date().toISOString().slice(0, 10)
  const missing = found.length < Number(quorum) ? ` At least ${quorum} must.` : ''
  const names = found.map(({ witness }) => witness.name).join(', ')
  return `Cosigned by ${found.length} of ${keys.length} witnesses, the last ${isToday ? '' : `on ${day} `}at ${last.slice(11, 16)} UTC: ${names}.${missing}`
}

// Web Crypto exists only in secure contexts. Elsewhere the page keeps its sentence about verify-ledger.mjs.
if (place && isSecureContext)
  check(place.dataset).then(
    (text) => {
      place.textContent = text
    },
    (error) => {
      if (error instanceof LogError) place.textContent = `Something is wrong. ${error.message}`
    },
  )
