import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { CausePayment } from '~/ledger/cause-payments.server'
import type { PoolWithTotals } from '~/ledger/totals.server'
import { shownUrl } from '~/ledger/update-picture'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { useFundMeOpen } from '~/platform/rendering/fundme-open'
import { Section } from '~/platform/ui/section'
import { When } from '~/platform/ui/when'
import { EnglishWords, useLangOfEnglish } from '~/platform/ui/words'

/** The three programmes, each with a picture and a sentence. */
export function Programmes({
  pools,
  payments,
}: {
  pools: PoolWithTotals[]
  payments: CausePayment[] | null
}) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const isFundMeOpen = useFundMeOpen()
  const [newest] = pools
    .flatMap(({ title, totals }) => (totals?.pictured ? { title, ...totals.pictured } : []))
    .sort((a, b) => b.at.getTime() - a.at.getTime())
  const call = payments?.find(({ isNamed }) => isNamed)
  return (
    <Section id="programmes" heading="programmes-title" title={t`Three ways we help`} live="ledger pools">
      <ul className="programmes">
        <Programme
          to="/cz-call"
          name="CZ Call"
          picture="/drawings/cz-call.svg"
          text={t`When CZ, the founder of Binance, names a cause, our donation wallet gives.`}
        >
          {call?.note && (
            <>
              <strong dir="ltr">
                <EnglishWords>{call.note}</EnglishWords>
              </strong>
              <When date={call.occurredAt} day />
            </>
          )}
        </Programme>
        <Programme
          to="/voting"
          name={t`Impact Pools`}
          picture={newest?.path ?? '/drawings/pool-education.svg'}
          alt={newest?.alt}
          text={t`Permanent pools for education, relief and animals.`}
        >
          {newest?.text && (
            <>
              <strong dir="ltr">
                <EnglishWords>{newest.text}</EnglishWords>
              </strong>
              {i18n._(key(newest.title))} · <When date={newest.at} day />
            </>
          )}
        </Programme>
        <Programme
          to="/giveback"
          name="FundMe"
          badge={isFundMeOpen ? undefined : t`Coming Soon`}
          picture="/drawings/scenes/bakery.svg"
          text={
            isFundMeOpen
              ? t`Members ask for money for their own goals, and anyone can give.`
              : t`Anyone can set a goal. Token holders vote. Winners get funded.`
          }
        />
      </ul>
    </Section>
  )
}

function Programme({
  to,
  name,
  badge,
  picture,
  alt = '',
  text,
  children,
}: {
  to: string
  name: string
  badge?: string | undefined
  picture: string
  alt?: string
  text: string
  children?: ReactNode
}) {
  return (
    <li className="programme">
      <img
        src={shownUrl(picture)}
        alt={alt}
        lang={useLangOfEnglish()}
        width="480"
        height="270"
        loading="lazy"
      />
      <div>
        <h3>
          <PageLink to={to} className="cover">
            {name}
          </PageLink>{' '}
          {badge && <span className="badge">{badge}</span>}
        </h3>
        <p>{text}</p>
        {children && <p className="programme-news">{children}</p>}
      </div>
    </li>
  )
}
