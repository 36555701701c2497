import { causePhrase } from '~/donate/cause-phrase'
import { When } from '~/ui/when'
import { choicePath, faultSentences } from './choice'
import { ChosenCause } from './chosen-cause'
import type { AmountStepData, RefusedAmount } from './gift.server'
import { StepNavigation } from './step-navigation'
import keepAmountUrl from './typed-amount.ts?worker&url'

/** The second step: the token, three amounts in dollars, or another amount. */
export function AmountStep({ page, refused }: { page: AmountStepData; refused?: RefusedAmount | undefined }) {
  const { choice, presets, rate } = page
  const { to, fault } = choice
  return (
    <>
      <StepNavigation current="Amount" />
      <div className="column pt-6">
        <div className="max-w-2xl">
          <h1 className="text-title">How much?</h1>
          <div className="mt-5">
            <ChosenCause to={to} what="For" />
          </div>
          {fault && (fault !== 'rate' || presets.length === 0) && (
            <p className="notice">{faultSentences[fault]}</p>
          )}
          <Tokens page={page} />
          {presets.length > 0 ? (
            <ul className="mt-4 grid grid-cols-3 gap-3 @max-[16rem]/column:grid-cols-1">
              {presets.map(({ dollars, text }) => (
                <li key={dollars}>
                  <a
                    href={choicePath({ to, token: page.token.symbol, amount: dollars })}
                    className="flex min-h-23 flex-col items-center justify-center rounded-block border-[1.5px] border-ink p-2 text-center hover:bg-panel"
                  >
                    <span className="figures font-display text-3xl font-bold">${dollars}</span>{' '}
                    <span className="figures text-muted">{text}</span>
                  </a>
                </li>
              ))}
            </ul>
          ) : (
            <p className="mt-4 text-muted">
              We have no fresh price of {page.token.symbol}, so there are no amounts in dollars.
            </p>
          )}
          {rate && (
            <p className="mt-3 text-muted">
              By the price of <When date={rate.pricedAt} />. The ledger values your gift when it arrives.
            </p>
          )}
          <OtherAmount page={page} refused={refused} />
          <p className="mt-8 text-muted">
            Nothing is paid on this page. The next step shows the address of {causePhrase(to)}, and what to
            know before you send.
          </p>
        </div>
      </div>
    </>
  )
}

function Tokens({ page }: { page: AmountStepData }) {
  const { tokens, token, choice, rate } = page
  const price = { usd: 'worth $1 each', feed: rate ? `$${rate.rateUsd} each` : null }
  return (
    <nav aria-label="Token" className="mt-5">
      <ul className="flex flex-wrap gap-2 rounded-block bg-panel p-2">
        {tokens.map(({ symbol, priced }) => {
          const isChosen = symbol === token.symbol
          const note = priced === 'usd' ? price.usd : isChosen ? price.feed : null
          return (
            <li key={symbol} className="flex grow basis-28">
              <a
                href={choicePath({ to: choice.to, token: symbol })}
                className={`flex min-h-14 grow flex-col items-center justify-center rounded-xl border-[1.5px] px-3 py-1.5 text-center ${isChosen ? 'border-ink bg-raised' : 'border-transparent hover:bg-raised'}`}
                aria-current={isChosen ? 'true' : undefined}
              >
                <strong>{symbol}</strong>
                {note && <span className="figures text-sm text-muted">{note}</span>}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function OtherAmount({ page, refused }: { page: AmountStepData; refused: RefusedAmount | undefined }) {
  const { token, choice, presets } = page
  const nearest = presets.find(({ dollars }) => dollars === refused?.nearest)
  return (
    <form
      method="post"
      action={choicePath({ to: choice.to, token: token.symbol })}
      className="mt-7"
      noValidate
      data-other-amount=""
    >
      <label htmlFor="amount" className="font-semibold">
        {presets.length > 0 ? 'Other amount' : 'Amount'} in {token.symbol}
      </label>
      <div className="mt-1.5 flex flex-wrap gap-3">
        <input
          type="text"
          id="amount"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={refused?.typed}
          placeholder={`For example ${token.priced === 'usd' ? '35' : '0.05'}`}
          aria-invalid={refused ? true : undefined}
          aria-describedby={refused ? 'amount-error' : undefined}
          // biome-ignore lint/a11y/noAutofocus: the refused field takes the focus, even without script
          autoFocus={Boolean(refused)}
          className="field min-w-0 flex-[1_1_12rem]"
        />
        <button type="submit" className="button">
          Next
        </button>
      </div>
      {refused && (
        <p id="amount-error" className="mt-2 font-semibold text-bad">
          {refused.sentence}
        </p>
      )}
      {nearest && (
        <p className="mt-2">
          <a
            href={choicePath({ to: choice.to, token: token.symbol, amount: nearest.dollars })}
            className="link inline-block"
          >
            Or give {nearest.text}, the nearest amount above
          </a>
        </p>
      )}
      <script type="module" src={keepAmountUrl} />
    </form>
  )
}
