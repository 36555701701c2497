import { ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { exampleAmount } from '~/ledger/accepted'
import { Control } from '~/platform/forms/control'
import { fieldsOf, type RefusedForm } from '~/platform/forms/refusal'
import { withPoint } from '~/platform/locales/formats'
import { Gap, PageLink, Sentence, useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { phraseOf } from './cause'
import { choicePath, faultSentences } from './choice'
import { ChosenCause } from './chosen-cause'
import type { AmountStepData } from './gift.server'
import { MemberWalletNote } from './member-wallet-note'
import { StepNavigation } from './step-navigation'
import keepAmountUrl from './typed-amount.ts?worker&url'

interface Props {
  page: AmountStepData
  /** A refused amount. `nearest`: the nearest offered amount. */
  refused?: (RefusedForm & { nearest: number | null }) | undefined
}

/** The second step: choose the token, and one of three amounts in dollars or a different amount. */
export function AmountStep({ page, refused }: Props) {
  const { t } = useLingui()
  const { choice, presets, rate, goal } = page
  const { to, fault } = choice
  const { i18n } = useLanguage()
  const cause = phraseOf({ to, goal }, i18n)
  return (
    <>
      <StepNavigation current="amount" />
      <div className="column pt-6">
        <div className="max-w-2xl">
          <h1 className="text-title">
            <Trans>How much?</Trans>
          </h1>
          {goal && <MemberWalletNote />}
          <div className="mt-5">
            <ChosenCause
              cause={{ to, goal }}
              what={t({ message: 'For', comment: 'Before the name of the cause of a gift' })}
            />
          </div>
          {fault && <p className="notice max-w-none">{i18n._(faultSentences[fault])}</p>}
          <Tokens page={page} />
          <TokensExplained tokens={page.tokens} />
          {presets.length > 0 ? (
            <ul className="mt-4 grid grid-cols-3 gap-3 @max-[16rem]/column:grid-cols-1">
              {presets.map(({ dollars, text }) => (
                <li key={dollars}>
                  <PageLink
                    to={choicePath({ to, token: page.token.symbol, amount: dollars })}
                    className="flex min-h-23 flex-col items-center justify-center rounded-block border-[1.5px] border-ink p-2 text-center hover:bg-panel"
                  >
                    <span className="figures font-display text-heading font-bold">${dollars}</span>{' '}
                    <span className="figures text-muted">
                      <Sentence>{text}</Sentence>
                    </span>
                  </PageLink>
                </li>
              ))}
            </ul>
          ) : (
            <p className="notice mt-4 max-w-none">
              <Trans>
                We have no fresh price of {ph({ symbol: page.token.symbol })}, so there are no amounts in
                dollars.
              </Trans>
            </p>
          )}
          {rate && (
            <p className="mt-3 text-muted">
              <Trans>
                By the price of <When date={rate.pricedAt} />. The ledger values your gift when it arrives.
              </Trans>
            </p>
          )}
          <OtherAmount page={page} refused={refused} />
          <p className="mt-8 text-muted">
            <Trans>
              Nothing is paid on this page. The next step shows the address of {cause}, and what to know
              before you send.
            </Trans>
          </p>
        </div>
      </div>
    </>
  )
}

function Tokens({ page }: { page: AmountStepData }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { tokens, token, choice, rate } = page
  const price = {
    usd: t`worth $1 each`,
    feed: rate ? t`$${{ rate: withPoint(rate.rateUsd, formats) }} each` : null,
  }
  // With a single token there is nothing to choose. The token's explanation follows; only a price that
  // changes is shown here.
  if (tokens.length === 1)
    return (
      price.feed && (
        <p className="figures mt-5">
          <strong>{token.symbol}</strong> <span className="text-muted">{price.feed}</span>
        </p>
      )
    )
  return (
    <nav aria-label={t`Token`} className="mt-5">
      <ul className="flex flex-wrap gap-2 rounded-block bg-panel p-2">
        {tokens.map(({ symbol, priced }) => {
          const isChosen = symbol === token.symbol
          const note = priced === 'usd' ? price.usd : isChosen ? price.feed : null
          return (
            <li key={symbol} className="flex grow basis-28">
              <PageLink
                to={choicePath({ to: choice.to, token: symbol })}
                className={`flex min-h-14 grow flex-col items-center justify-center rounded-xl border-[1.5px] px-3 py-1.5 text-center ${isChosen ? 'border-ink bg-raised' : 'border-edge hover:bg-raised'}`}
                aria-current={isChosen ? 'true' : undefined}
              >
                <strong>{symbol}</strong>
                {note && <span className="figures text-sm text-muted">{note}</span>}
              </PageLink>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/**
 * Explains each token to newcomers: a token worth a dollar, or the coin. Other tokens have no explanation.
 */
function TokensExplained({ tokens }: { tokens: AmountStepData['tokens'] }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const sentences = tokens.flatMap(({ symbol, priced, address }) =>
    priced === 'usd'
      ? t`${symbol} is a digital dollar: a token that is worth one US dollar.`
      : address === null
        ? t`${symbol} is a coin whose price changes.`
        : [],
  )
  return (
    <p className="mt-4 text-muted">
      {i18n.join(sentences)}
      <Gap />
      <PageLink to="/tokens" className="link inline-block py-0.5">
        <Trans>How to get tokens</Trans>
      </PageLink>
    </p>
  )
}

function OtherAmount({ page, refused }: Props) {
  const { href, formats } = useLanguage()
  const { t } = useLingui()
  const { token, choice, presets } = page
  const { symbol } = token
  const example = exampleAmount(token, formats)
  const nearest = presets.find(({ dollars }) => dollars === refused?.nearest)
  return (
    <form
      method="post"
      action={href(choicePath({ to: choice.to, token: token.symbol }))}
      className="mt-7"
      noValidate
      data-other-amount=""
    >
      <Control
        {...fieldsOf(refused)('amount')}
        label={presets.length > 0 ? t`Other amount in ${symbol}` : t`Amount in ${symbol}`}
      >
        {(attributes) => (
          <div className="flex flex-wrap gap-3">
            <input
              {...attributes}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              placeholder={t`For example ${example}`}
              className="field min-w-0 flex-[1_1_12rem]"
            />
            <button type="submit" className="button button-gold">
              <Trans>Next</Trans>
            </button>
          </div>
        )}
      </Control>
      {nearest && (
        <p className="mt-2">
          <PageLink
            to={choicePath({ to: choice.to, token: token.symbol, amount: nearest.dollars })}
            className="link inline-block"
          >
            <Trans>Or give {ph({ text: nearest.text })}, the nearest amount above</Trans>
          </PageLink>
        </p>
      )}
      <script type="module" src={keepAmountUrl} />
    </form>
  )
}
