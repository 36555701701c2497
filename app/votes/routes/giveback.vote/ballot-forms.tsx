import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { percentagesOf, type SplitLimits } from '~/ledger/split'
import { shareName } from '~/ledger/split-words'
import { SigningScript, TextToSign, WalletButtons } from '~/platform/enhance/text-signing-parts'
import { Field } from '~/platform/forms/field'
import type { RefusedForm } from '~/platform/forms/refusal'
import { useLanguage } from '~/platform/locales/react'
import { Sheet } from '~/platform/ui/section'
import { choiceWords, useTokens } from '~/votes/vote-words'
import type { OpenedVote } from '~/votes/votes.server'
import type { readWalletWeight } from '~/votes/wallet-weight.server'
import { AddressField } from '~/wallet/signing-fields'

interface Loaded {
  slug: string
  choice: string | null
  address: string | null
  /** The text to sign; null without a choice and an address. */
  text: string | null
  /** What the wallet held at the block of the vote; null if it was not read. */
  held: Awaited<ReturnType<typeof readWalletWeight>>
  /** Whether the choice or the address is wrong. */
  isWrong: boolean
  /** The limits of the shares in a vote on the split. */
  limits: SplitLimits | null
}

interface Refused extends RefusedForm {
  choice: string
  address: string
  text: string
}

/** The choice, then the buttons of the wallets in this browser, or the text to sign by hand and its signature. */
export function BallotForms({
  member,
  vote,
  loaded,
  refused,
}: {
  member: string
  vote: Pick<OpenedVote, 'blockNumber' | 'decimals'>
  loaded: Loaded
  refused: Refused | undefined
}) {
  const { t } = useLingui()
  const { slug, isWrong, limits, held } = loaded
  const { choice, address, text } = refused ?? loaded
  const isWrongAddress = isWrong && choice !== null && !/^0x[0-9a-fA-F]{40}$/.test(address ?? '')
  const path = `/giveback/${slug}/vote`
  return (
    <>
      <Sheet heading="choose-title" title={t`1. Choose`} className="mt-6">
        <p className="mt-3 text-sm text-muted">
          <Trans>
            Contract wallets, such as a Safe, can't vote here: they have no key, and everyone must be able to
            check a ballot from the file alone.
          </Trans>
        </p>
        <form method="get" action={path} noValidate className="mt-3 grid gap-4">
          {limits ? (
            <Percentages limits={limits} choice={choice} isWrong={isWrong && !isWrongAddress} />
          ) : (
            <SupportOrAgainst choice={choice} isWrong={isWrong && choice === null} />
          )}
          <WalletButtons />
          <AddressField address={address} isWrong={isWrongAddress} />
          <p>
            <button type="submit" className={text ? 'button' : 'button button-ink'}>
              <Trans>Show the text</Trans>
            </button>
          </p>
        </form>
      </Sheet>
      {text && held?.fault && !refused && (
        <p className="notice" role="alert" data-weightless="">
          <WeightFault fault={held.fault} block={vote.blockNumber} />
        </p>
      )}
      {text && (refused || !held?.fault) && (
        <Sheet heading="sign-title" title={t`2. Sign the text`} className="mt-6">
          {!refused && <Weight held={held?.weight} vote={vote} />}
          <form method="post" action={path} noValidate data-signed="" className="mt-3 grid gap-4">
            <input type="hidden" name="member" value={member} />
            <input type="hidden" name="choice" value={choice ?? ''} />
            <input type="hidden" name="address" value={address ?? ''} />
            <TextToSign text={text} refused={refused} />
            <p>
              <button type="submit" className="button button-ink">
                <Trans>Hand in the ballot</Trans>
              </button>
            </p>
          </form>
        </Sheet>
      )}
      <SigningScript />
    </>
  )
}

/** What the ballot will weigh. `held`: undefined if it was not read. */
function Weight({
  held,
  vote: { blockNumber: block, decimals },
}: {
  held: bigint | undefined
  vote: Pick<OpenedVote, 'blockNumber' | 'decimals'>
}) {
  const tokens = useTokens(decimals)
  const amount = held === undefined ? '' : tokens(held)
  return (
    <p className="mt-3">
      {held === undefined ? (
        <Trans>We couldn't read what this wallet held. We read it again when we count the ballot.</Trans>
      ) : (
        <Trans>
          This wallet held <strong>{amount}</strong> at block {block}: this is what the ballot weighs.
        </Trans>
      )}
    </p>
  )
}

/** Why a wallet need not sign. */
function WeightFault({
  fault,
  block,
}: {
  fault: 'contract' | 'excluded' | 'nothing' | 'light'
  block: number
}) {
  switch (fault) {
    case 'contract':
      return <Trans>This address is a contract wallet, which can't vote here. Nothing was signed.</Trans>
    case 'excluded':
      return <Trans>The tokens of this address do not count in this vote. Nothing was signed.</Trans>
    case 'nothing':
      return <Trans>This wallet held no tokens at block {block}, so there is nothing to count.</Trans>
    case 'light':
      return (
        <Trans>
          This wallet held less than a millionth of the tokens that may vote, so its ballot would not count.
        </Trans>
      )
  }
}

function SupportOrAgainst({ choice, isWrong }: { choice: string | null; isWrong: boolean }) {
  const { i18n } = useLanguage()
  return (
    <>
      <fieldset className="flex flex-wrap gap-x-8 gap-y-2">
        <legend className="sr-only">
          <Trans>Should this goal be funded?</Trans>
        </legend>
        {(['support', 'against'] as const).map((value) => (
          <label key={value} className="flex min-h-11 items-center gap-2.5">
            <input type="radio" name="choice" value={value} defaultChecked={choice === value} />
            {i18n._(choiceWords[value])}
          </label>
        ))}
      </fieldset>
      {isWrong && (
        <p className="text-sm font-semibold text-bad">
          <Trans>Choose Support or Against first.</Trans>
        </p>
      )}
    </>
  )
}

/** The percentages, each with its limits. */
function Percentages({
  limits,
  choice,
  isWrong,
}: {
  limits: SplitLimits
  choice: string | null
  isWrong: boolean
}) {
  const { i18n } = useLanguage()
  const typed = choice?.split(' ') ?? []
  return (
    <fieldset aria-describedby={isWrong ? 'split-error' : undefined}>
      <legend className="sr-only">
        <Trans>How should the fees be split?</Trans>
      </legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {limits.names.map((name, at) => {
          const [from, to] = [limits.least[at] ?? 0, limits.most[at] ?? 100]
          return (
            <Field
              key={name}
              label={i18n._(shareName(name))}
              hint={i18n._(msg`Percent, from ${from} to ${to}.`)}
              name={name}
              defaultValue={typed[at] ?? ''}
              inputMode="numeric"
              autoComplete="off"
              dir="ltr"
            />
          )
        })}
      </div>
      {isWrong && (
        <p id="split-error" className="mt-3 text-sm font-semibold text-bad">
          {percentagesOf(choice) ? (
            <Trans>A percentage is beyond its limits.</Trans>
          ) : (
            <Trans>Enter whole percentages that add up to 100.</Trans>
          )}
        </p>
      )}
    </fieldset>
  )
}
