import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { Icon } from '~/platform/ui/icon'
import { choicePath } from './choice'

const steps = {
  cause: msg({ message: 'Cause', comment: 'The first step of giving: what the gift is for' }),
  amount: msg({ message: 'Amount', comment: 'The second step of giving' }),
  pay: msg({ message: 'Pay', comment: 'The third step of giving' }),
} as const

/** The three steps. The steps before the current one are links that keep the choices. */
export function StepNavigation({
  current,
  to = null,
  token = null,
}: {
  current: keyof typeof steps
  to?: string | null
  token?: string | null
}) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const at = Object.keys(steps).indexOf(current)
  const paths = [choicePath({}), choicePath({ to, token })]
  return (
    <nav aria-label={t`Steps`} className="column pt-5 lg:pt-8">
      <ol className="step-line flex flex-wrap items-center gap-y-2 font-semibold">
        {Object.entries(steps).map(([step, name], number) => (
          <li key={step} aria-current={number === at ? 'step' : undefined}>
            {number < at ? (
              <PageLink to={paths[number] ?? ''}>
                <span className="step-number border-ink">
                  <Icon name="check" size={16} />
                </span>
                <span className="step-name link">
                  {i18n._(name)}
                  <span className="sr-only">
                    <Trans>, done: change it</Trans>
                  </span>
                </span>
              </PageLink>
            ) : (
              <>
                <span
                  className={`step-number ${number === at ? 'border-ink bg-ink text-paper' : 'border-edge text-muted'}`}
                >
                  {number + 1}
                </span>
                <span className={`step-name ${number === at ? '' : 'text-muted'}`}>{i18n._(name)}</span>
              </>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
