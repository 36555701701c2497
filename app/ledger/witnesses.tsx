import type { Witness } from '~/server/env.server'
import checkWitnessesUrl from './check-witnesses.ts?worker&url'

/** What the pages show of a witness. */
export type ShownWitness = Pick<Witness, 'vkey' | 'name' | 'link' | 'operator'>

/** The witnesses of the configuration, without the URLs at which the site asks them. */
export function listWitnesses({ WITNESSES }: { WITNESSES: Witness[] }): ShownWitness[] {
  return WITNESSES.map(({ vkey, name, link, operator }) => ({ vkey, name, link, operator }))
}

/**
 * Who has cosigned a checkpoint. `note` is the checkpoint with every signature line; check-witnesses.ts verifies the
 * lines in the browser and writes the result into the first paragraph.
 */
export function Cosigned({ note, witnesses }: { note: string; witnesses: ShownWitness[] }) {
  if (witnesses.length === 0) return <p className="mt-3">No one else has cosigned this yet.</p>
  return (
    <>
      <p
        className="mt-3"
        role="status"
        data-cosigned={note}
        data-witnesses={witnesses.map(({ vkey }) => vkey).join(' ')}
      >
        These witnesses are asked to cosign. verify-ledger.mjs checks who has.
      </p>
      <ul className="mt-3 grid gap-1">
        {witnesses.map(({ vkey, name, link, operator }) => (
          <li key={vkey} className="wrap-anywhere">
            {link ? (
              <a href={link} className="link" rel="noopener">
                {name}
              </a>
            ) : (
              name
            )}
            {operator && `, by ${operator}`}
          </li>
        ))}
      </ul>
      <script type="module" src={checkWitnessesUrl} />
    </>
  )
}
