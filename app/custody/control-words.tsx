import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { EntryLink } from '../ledger/entry-link'
import { ExplorerLink } from '../ledger/explorer-link'
import { Gap } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import type { WalletControl } from './controls.server'

/** Who can move the money of a wallet, in a sentence. `control`: undefined before the first reading. */
export function ControlLine({ control }: { control: WalletControl | undefined }) {
  if (!control)
    return (
      <strong className="text-bad">
        <Trans>The site has not read yet who can move this money.</Trans>
      </strong>
    )
  const { isOld, readAt, modules } = control
  const count = modules.length
  return (
    <>
      {isOld && (
        <strong className="text-bad">
          <Trans>
            Not read since <When date={readAt} />.
          </Trans>
          <Gap />
        </strong>
      )}
      <Holders control={control} />
      {count > 0 && (
        <strong className="text-bad">
          <Gap />
          <Plural
            value={count}
            one="# module can move it without the owners."
            other="# modules can move it without the owners."
          />
        </strong>
      )}
    </>
  )
}

function Holders({ control: { control, owners, threshold } }: { control: WalletControl }) {
  const count = owners.length
  switch (control) {
    case 'key':
      return <Trans>One key holder: this person alone could move the money.</Trans>
    case 'safe':
      return threshold === 1 ? (
        <Trans>Each of {count} keys alone could move the money.</Trans>
      ) : (
        <Trans>
          {threshold} of {count} keys together move the money.
        </Trans>
      )
    default:
      return (
        <strong className="text-bad">
          <Trans>This contract is not known to us, so we can't say who can move the money.</Trans>
        </strong>
      )
  }
}

/** The contracts and keys of a Safe, folded; since when, and its entry of the log. */
export function ControlDetails({ control }: { control: WalletControl | undefined }) {
  if (!control) return null
  const { version, owners, modules, guard, handler, recordedAt, logIndex } = control
  return (
    <details className="text-sm">
      <summary className="link w-fit py-1">
        <Trans>Keys and contracts</Trans>
      </summary>
      <dl className="grid gap-x-4 sm:grid-cols-[auto_1fr]">
        {version !== null && (
          <Fact name={<Trans>Version of Safe</Trans>}>
            <bdi>{version}</bdi>
          </Fact>
        )}
        <Addresses name={<Trans>Keys</Trans>} of={owners} />
        <Addresses name={<Trans>Modules</Trans>} of={modules} />
        <Addresses name={<Trans>Can refuse what the keys do</Trans>} of={guard ? [guard] : []} />
        <Addresses name={<Trans>Answers unknown calls</Trans>} of={handler ? [handler] : []} />
        <Fact name={<Trans>So since</Trans>}>
          <When date={recordedAt} /> {logIndex !== null && <EntryLink logIndex={logIndex} />}
        </Fact>
      </dl>
    </details>
  )
}

function Addresses({ name, of }: { name: ReactNode; of: string[] }) {
  if (of.length === 0) return null
  return (
    <Fact name={name}>
      {of.map((address) => (
        <span key={address} className="hash block wrap-anywhere">
          <ExplorerLink kind="address" value={address} />
        </span>
      ))}
    </Fact>
  )
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** What the blockchain cannot show about keys. */
export function KeyLimits() {
  return (
    <Trans>
      The blockchain shows how many keys move a wallet's money. It can't show who has them, whether they are
      different people, or whether someone forces them. Nobody has shown here yet that they hold one.
    </Trans>
  )
}
