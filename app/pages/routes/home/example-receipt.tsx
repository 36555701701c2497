import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { impactPools } from '~/platform/impact-pools'
import { key } from '~/platform/locales/key'
import { useLanguage } from '~/platform/locales/react'

/** Payments that are made up, in cents: one for each of the first pools of the table. */
const lines = [
  {
    picture: '/drawings/scenes/classroom.svg',
    what: msg`Desks and books for one class`,
    amount: 180_00,
  },
  {
    picture: '/drawings/scenes/water.svg',
    what: msg`Clean water for a clinic`,
    amount: 90_00,
  },
  {
    picture: '/drawings/scenes/shelter.svg',
    what: msg`Winter food for a shelter`,
    amount: 30_00,
  },
] as const

/** Shown before the first payment in place of the receipt: what a receipt will look like, marked as an example. */
export function ExampleReceipt() {
  const { i18n, formats } = useLanguage()
  return (
    <section className="receipt border-2 border-dashed border-edge" aria-labelledby="example">
      <div className="receipt-head">
        <h2 id="example">
          <Trans>What you will see here</Trans>
        </h2>
        <span className="badge border border-edge">
          <Trans>Example</Trans>
        </span>
      </div>
      <ol>
        {lines.map(({ picture, what, amount }, at) => (
          <li key={picture}>
            <img
              src={picture}
              alt=""
              width="480"
              height="270"
              className={at === 0 ? 'receipt-picture' : 'receipt-thumb'}
              loading={at === 0 ? undefined : 'lazy'}
            />
            <p className="receipt-line">
              <span className="font-semibold">{i18n._(what)}</span>
              <span className="receipt-amount">{formats.dollars(amount)}</span>
            </p>
            <p className="receipt-line text-sm text-muted">
              <span data-hue={impactPools[at]?.slug}>
                <span className="swatch hue-fill" />
                {i18n._(key(impactPools[at]?.category ?? ''))}
              </span>
            </p>
          </li>
        ))}
      </ol>
      <p className="receipt-gap order-last">
        <Trans>
          These payments are made up. Each real one will link to its transaction on BNB Smart Chain.
        </Trans>
      </p>
    </section>
  )
}
