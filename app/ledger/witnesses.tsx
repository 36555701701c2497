import { Trans } from '@lingui/react/macro'
import { ScriptSentences } from '~/platform/locales/sentences'
import type { Config, Witness } from '~/platform/server/env.server'
import checkWitnessesUrl from './check-witnesses.ts?worker&url'
import { witnessSentences } from './witness-sentences'

/** The data that pages show about a witness. */
type ShownWitness = Pick<Witness, 'vkey' | 'name' | 'link' | 'operator'>

/** The witnesses of a log, and the number of witnesses that must cosign. */
export interface ShownWitnesses {
  list: ShownWitness[]
  quorum: number
}

/** The configured witnesses, without the URLs at which the site requests cosignatures. */
export function listWitnesses(config: Pick<Config, 'WITNESSES' | 'WITNESS_QUORUM'>): ShownWitnesses {
  const list = config.WITNESSES.map(({ vkey, name, link, operator }) => ({ vkey, name, link, operator }))
  return { list, quorum: config.WITNESS_QUORUM }
}

/**
 * Lists the configured witnesses of a checkpoint. `note` is the checkpoint with every signature line.
 * check-witnesses.ts verifies these lines in the browser and writes the result into the first paragraph. The
 * page must also render `faultSentences`, from which check-witnesses.ts takes its words.
 */
export function Cosigned({ note, witnesses: { list, quorum } }: { note: string; witnesses: ShownWitnesses }) {
  if (list.length === 0)
    return (
      <p className="mt-3">
        <Trans>No one else has cosigned this yet.</Trans>
      </p>
    )
  return (
    <>
      <p
        className="mt-3"
        role="status"
        data-cosigned={note}
        data-quorum={quorum}
        data-witnesses={list.map(({ vkey }) => vkey).join(' ')}
      >
        <Trans>These witnesses are asked to cosign. verify-ledger.mjs checks who has.</Trans>
      </p>
      <ul className="mt-3 grid gap-1">
        {list.map(({ vkey, name, link, operator }) => (
          <li key={vkey} className="wrap-anywhere">
            {link ? (
              <a href={link} className="link" rel="noopener">
                {name}
              </a>
            ) : (
              name
            )}
            {operator && <Trans>, by {operator}</Trans>}
          </li>
        ))}
      </ul>
      <ScriptSentences of={witnessSentences} />
      <script type="module" src={checkWitnessesUrl} />
    </>
  )
}
