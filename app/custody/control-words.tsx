import { Plural, Trans } from '@lingui/react/macro'
import { Fragment, type ReactNode } from 'react'
import { hasNoLimit } from '../chain/token-calls'
import { EntryLink } from '../ledger/entry-link'
import { ExplorerLink } from '../ledger/explorer-link'
import { Gap, useLanguage } from '../platform/locales/react'
import { Icon } from '../platform/ui/icon'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import type { Holder, WalletControl } from './controls.server'

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
            We could not read since <When date={readAt} /> who can move it. Then:
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
      <Gap />
      <Shown control={control} />
      <Allowances control={control} />
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
          {threshold} of {count} keys must sign together.
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

/** How many keys were shown to be held, and when last. As loud as a mismatch if too few were to move the money. */
function Shown({ control: { control, threshold, keys, signed } }: { control: WalletControl }) {
  if (control === 'contract') return null
  const { count, last, days } = signed
  const all = keys.length
  if (count === 0)
    return (
      <Loud>
        {!last ? (
          <Trans>No key of this wallet has signed yet.</Trans>
        ) : control === 'key' ? (
          <Trans>
            This key has not signed since <When date={last} day />.
          </Trans>
        ) : (
          <Trans>
            No owner has signed since <When date={last} day />.
          </Trans>
        )}
      </Loud>
    )
  const words = (
    <Trans>
      {count} of <Plural value={all} one="# key" other="# keys" /> signed, last{' '}
      <Plural value={days} _0="today" one="# day ago" other="# days ago" />.
    </Trans>
  )
  return count < (threshold ?? 1) ? <Loud>{words}</Loud> : words
}

/** What others may spend of the wallet without its keys: as loud as a mismatch, unless it is the site's payer within a limit. */
function Allowances({ control: { allowed } }: { control: WalletControl }) {
  const { formats } = useLanguage()
  if (!allowed)
    return (
      <>
        <Gap />
        <Loud>
          <Trans>What others may spend of it was not read yet.</Trans>
        </Loud>
      </>
    )
  const { list, readAt, isOld } = allowed
  return (
    <>
      {isOld && (
        <>
          <Gap />
          <Loud>
            <Trans>
              What others may spend of it was not read since <When date={readAt} />. Then:
            </Trans>
          </Loud>
        </>
      )}
      {list.map(({ spender, isPayer, tokens }) => {
        if (!tokens) return null
        const amount = <bdi className="figures">{formats.tokens(tokens, 2)}</bdi>
        const limited = isPayer ? (
          <Trans>The program that sends our payments may spend {amount} of it without these keys.</Trans>
        ) : (
          <Trans>Another address may spend {amount} of it without these keys.</Trans>
        )
        const unlimited = isPayer ? (
          <Trans>
            The program that sends our payments may spend {tokens.symbol} of it without these keys and without
            a limit.
          </Trans>
        ) : (
          <Trans>
            Another address may spend {tokens.symbol} of it without these keys and without a limit.
          </Trans>
        )
        const words = hasNoLimit(tokens.amount) ? unlimited : limited
        return (
          <Fragment key={`${tokens.symbol} ${spender}`}>
            <Gap />
            {isPayer && words === limited ? words : <Loud>{words}</Loud>}
          </Fragment>
        )
      })}
    </>
  )
}

function Loud({ children }: { children: ReactNode }) {
  return (
    <strong className="badge my-0.5 bg-bad-wash text-bad">
      <Icon name="alert" size={16} />
      <span>{children}</span>
    </strong>
  )
}

/** The contracts and keys of a Safe, folded; since when, and its entry of the log. */
export function ControlDetails({ control }: { control: WalletControl | undefined }) {
  if (!control) return null
  const { version, keys, modules, guard, handler, allowed, recordedAt, logIndex } = control
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
        {keys.length > 0 && (
          <Fact name={<Trans>Keys</Trans>}>
            {keys.map((one) => (
              <Key key={one.key} of={one} />
            ))}
          </Fact>
        )}
        <Addresses name={<Trans>Modules</Trans>} of={modules} />
        <Addresses name={<Trans>Can refuse what the keys do</Trans>} of={guard ? [guard] : []} />
        <Addresses name={<Trans>Answers unknown calls</Trans>} of={handler ? [handler] : []} />
        {allowed && (
          <Fact name={<Trans>May spend without the keys</Trans>}>
            {allowed.list.length === 0 && <Trans>No one</Trans>}
            {[...new Set(allowed.list.map(({ spender }) => spender))].map((spender) => (
              <ControlAddress key={spender} value={spender} />
            ))}
          </Fact>
        )}
        <Fact name={<Trans>So since</Trans>}>
          <When date={recordedAt} /> {logIndex !== null && <EntryLink logIndex={logIndex} />}
        </Fact>
      </dl>
    </details>
  )
}

/** A key, who holds it, and when it was shown last. */
function Key({ of: { key, holder, signedOn, logIndex } }: { of: WalletControl['keys'][number] }) {
  return (
    <div className="pb-1 wrap-anywhere">
      <span className="hash">
        <ExplorerLink kind="address" value={key} className="link inline-block py-0.5" />
      </span>{' '}
      {holder ? <HolderWords holder={holder} /> : <Trans>No one says who holds it.</Trans>}{' '}
      {signedOn ? (
        <Trans>
          Shown on <When date={signedOn} day />.
        </Trans>
      ) : (
        <Trans>Not shown yet.</Trans>
      )}{' '}
      {logIndex !== null && <EntryLink logIndex={logIndex} />}
    </div>
  )
}

function HolderWords({ holder: { role, handle, words, link } }: { holder: Holder }) {
  const said = [role, handle, words].filter(Boolean).join(', ').replace(/\.?$/, '.')
  return (
    <>
      <EnglishWords>{said}</EnglishWords>{' '}
      {link && (
        <a href={link} className="link" rel="noopener nofollow">
          <bdi dir="ltr">{link.replace('https://', '').split(/[/?#]/, 1)[0]}</bdi>
        </a>
      )}
    </>
  )
}

function Addresses({ name, of }: { name: ReactNode; of: string[] }) {
  if (of.length === 0) return null
  return (
    <Fact name={name}>
      {of.map((address) => (
        <ControlAddress key={address} value={address} />
      ))}
    </Fact>
  )
}

function ControlAddress({ value }: { value: string }) {
  return (
    <span className="hash block wrap-anywhere">
      <ExplorerLink kind="address" value={value} className="link inline-block py-0.5" />
    </span>
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

/** What neither the blockchain nor a signature can show about keys. */
export function KeyLimits() {
  return (
    <Trans>
      The blockchain shows how many keys move a wallet's money, and a signature shows that someone holds a key
      that day. Neither shows that the holders are different people, that no one forces them, or that no copy
      exists. Roles are what two operators say. What others may spend counts from the first block that our
      ledger reads, in its tokens.
    </Trans>
  )
}
