import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireOperator } from '~/acts/guard.server'
import { chainName } from '~/ledger/record'
import { AccountName } from '~/payments/order-words'
import { isLarge, meansKey, readAllowed } from '~/payments/payer-means'
import { type Means, readPayer, readPayerAddress } from '~/payments/payer-means.server'
import { LargeAllowance, MeansWords, SeenWords, useMeansName } from '~/payments/payer-words'
import { Control } from '~/platform/forms/control'
import { Field } from '~/platform/forms/field'
import { Gap, useLanguage } from '~/platform/locales/react'
import { ScriptSentences } from '~/platform/locales/sentences'
import { privateMeta } from '~/platform/rendering/seo'
import { found } from '~/platform/server/outage.server'
import { formatTokens } from '~/platform/tokens'
import { Copy } from '~/platform/ui/copy'
import { PageHead } from '~/platform/ui/page-head'
import { Part } from '~/platform/ui/section'
import { checksumAddress } from '~/wallet/address'
import { paymentSentences } from '~/wallet/payment-sentences'
import { approveData } from '~/wallet/transfer'
import walletListUrl from '~/wallet/wallet-list.ts?worker&url'

export const meta: MetaFunction = privateMeta(msg`Approve an allowance`)

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireOperator(context, '/operator/payments')
  const { searchParams } = new URL(request.url)
  const { means, most, sight } = found(await readPayer(context.data()))
  const chosen = means.find((each) => meansKey(each) === searchParams.get('of'))
  const amount = searchParams.get('amount')
  const own = await readPayerAddress(context.config, sight)
  return {
    means,
    most,
    sight,
    payer: own && !own.isOther && sight ? own.payer : null,
    hasPayer: own !== null,
    isOther: own?.isOther ?? false,
    chosen,
    amount,
    read: chosen && amount !== null ? readAllowed(amount, chosen) : null,
    isDemo: context.config.DEMO,
  }
}

const faults = {
  invalid: msg`Enter an amount, such as 3000. 0 ends the allowance.`,
  ambiguous: msg`Is the separator a decimal point or does it group digits? Enter the amount without it.`,
  unlimited: msg`An allowance without limit is refused: a thief of the payer's key could take everything.`,
}

export default function Allowance() {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const nameOf = useMeansName()
  const { means, most, sight, payer, hasPayer, isOther, chosen, amount, read, isDemo } =
    useLoaderData<typeof loader>()
  const units = read && 'units' in read ? read.units : null
  const fault = read && 'fault' in read ? i18n._(faults[read.fault]) : undefined
  return (
    <>
      <div className="column pt-section">
        <PageHead back={{ to: '/operator/payments', label: t`Payments` }} title={t`Approve an allowance`} />
        <p className="mt-4 max-w-[65ch]">
          <Trans>
            An allowance is what the site may spend of a token of one of our wallets. The owners of the wallet
            give it on the blockchain, and end it there with 0. It replaces the allowance before.
          </Trans>
        </p>
        {payer === null ? (
          <p className="notice">
            {isOther ? (
              <Trans>
                The database names another address as the payer than this site's key has. Approve nothing
                until you know why.
              </Trans>
            ) : hasPayer ? (
              <Trans>The scheduled job has not read the allowances yet.</Trans>
            ) : (
              <Trans>No program of this site can pay: it has no PAYER_KEY.</Trans>
            )}
          </p>
        ) : (
          <form method="get" noValidate className="mt-6 grid max-w-xl gap-5">
            <Control name="of" label={t`Token and wallet`}>
              {(attributes) => (
                <select {...attributes} defaultValue={chosen && meansKey(chosen)} className="field">
                  {means.map((each) => (
                    <option key={meansKey(each)} value={meansKey(each)}>
                      {nameOf(each)}
                    </option>
                  ))}
                </select>
              )}
            </Control>
            <Field
              name="amount"
              label={t`Allowance`}
              hint={t`In tokens: a few payments at most. One order may pay ${formats.count(most ?? 0)}.`}
              inputMode="decimal"
              autoComplete="off"
              defaultValue={amount ?? undefined}
              error={fault}
            />
            <p>
              <button type="submit" className="button button-ink">
                <Trans>Show how</Trans>
              </button>
            </p>
          </form>
        )}
        {chosen && (
          <p className="mt-4 max-w-[65ch] text-muted">
            <bdi>{nameOf(chosen)}</bdi>: <MeansWords means={chosen} most={most} />
            <Gap />
            {sight && <SeenWords sight={sight} />}
          </p>
        )}
      </div>
      {payer && chosen && units !== null && (
        <Ways payer={payer} chosen={chosen} units={units} most={most} isDemo={isDemo} />
      )}
    </>
  )
}

/** The three ways to give an allowance: with a wallet of this browser, with a Safe, and with any other wallet. */
function Ways({
  payer,
  chosen,
  units,
  most,
  isDemo,
}: {
  payer: string
  chosen: Means
  units: bigint
  most: number | null
  isDemo: boolean
}) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { owner, token, symbol, decimals, chainId } = chosen
  const amount = formatTokens({ amount: units, symbol, decimals }, { places: decimals, count: String })
  const [from, spender, contract] = [owner, payer, token].map(checksumAddress) as [string, string, string]
  const account = <AccountName slug={chosen.account} />
  const query = new URLSearchParams({ allow: meansKey(chosen), amount: `${units}` })
  return (
    <Part title={t`Approve ${amount}`}>
      {isLarge({ units, decimals }, most) && (
        <p className="notice max-w-[65ch]">
          <LargeAllowance />
        </p>
      )}
      <section
        hidden
        className="mt-4"
        data-pay=""
        data-from={from}
        data-to={spender}
        data-approves="yes"
        data-token={contract}
        data-symbol={symbol}
        data-units={`${units}`}
        data-amount={amount}
        data-cause={spender}
        data-chain={chainId}
        data-chain-name={i18n._(chainName(chainId))}
      >
        <div className="flex flex-wrap gap-3" data-wallets="" />
        <p className="mt-2" role="status" data-wallet-status="" />
      </section>
      <p className="mt-4">
        <a href={`/operator/payments/safe.json?${query}`} className="button" download>
          <Trans>Download for Safe</Trans>
        </a>
      </p>
      <p className="mt-6 max-w-[65ch]">
        <Trans>
          With any other wallet of {account}, such as a hardware wallet: call <code>approve</code> of the
          token's contract in the block explorer, and compare each value with these.
        </Trans>
      </p>
      <dl className="facts">
        <Fact term={t({ message: 'From', context: 'sender' })} value={from} />
        <Fact term={t`Contract`} value={contract} copy={t`the address of the contract`} />
        <Fact term="spender" value={spender} copy={t`the payer's address`} />
        <Fact term="amount" value={`${units}`} copy={t`the amount`} more={amount} />
        <Fact term="data" value={approveData(spender, units)} copy={t`the data of the call`} />
      </dl>
      {!isDemo && (
        <>
          <ScriptSentences of={approvalSentences} />
          <script type="module" src={walletListUrl} />
        </>
      )}
    </Part>
  )
}

function Fact({ term, value, copy, more }: { term: string; value: string; copy?: string; more?: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        <span className="hash">{value}</span> {more && <bdi>({more})</bdi>}{' '}
        {copy && <Copy text={value} what={copy} quiet payable />}
      </dd>
    </div>
  )
}

/** The sentences of the script that pays, for an allowance. */
const approvalSentences = {
  ...paymentSentences,
  give: msg({
    message: 'You let the payer {cause} spend {amount}. Open your wallet and choose an account.',
  }),
  checking: msg`Checking the allowance…`,
  ready: msg({ message: 'Ready: the payer {cause} may spend {amount}. Confirm it in your wallet.' }),
  pay: msg({ message: 'Approve {amount}', comment: 'A button' }),
  payWith: msg({
    message: 'Approve {amount} with {wallet}',
    comment: 'A button. wallet: the name of an app',
  }),
}
