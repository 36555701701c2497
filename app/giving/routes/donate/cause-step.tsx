import { Trans, useLingui } from '@lingui/react/macro'
import { causeTitle } from '~/giving/cause-phrase'
import { FormerWallets } from '~/ledger/former-wallets'
import { helpingWords } from '~/ledger/totals'
import { key } from '~/platform/locales/key'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { useFundMeOpen } from '~/platform/rendering/fundme-open'
import { Arrow } from '~/platform/ui/arrow'
import { Choice } from '~/platform/ui/choice'
import { PageHeader } from '~/platform/ui/page-header'
import { EnglishWords } from '~/platform/ui/words'
import { choicePath, faultSentences } from './choice'
import { FindPayment } from './find-payment'
import type { CauseStepData } from './gift.server'
import { ImpostorNote } from './impostor-note'
import { NotOpenYet } from './not-open-yet'
import { StepNavigation } from './step-navigation'

/** The first step: the pools as cards, then the treasury and CZ Call. */
export function CauseStep({ page }: { page: CauseStepData }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { causes, pools, isOpen, former } = page
  const isFundMeOpen = useFundMeOpen()
  const others = causes.filter(({ slug }) => !pools.some((pool) => pool.slug === slug))
  if (!isOpen)
    return (
      <>
        <PageHeader
          title={t`Donate`}
          tagline={t`We list gifts in the public ledger, each with its transaction.`}
        />
        <div className="column">
          <NotOpenYet />
          <FormerWallets wallets={former} />
        </div>
      </>
    )
  return (
    <>
      <StepNavigation current="cause" />
      <div className="column pt-6">
        <h1 className="text-title">
          <Trans>Choose a cause</Trans>
        </h1>
        {page.fault && <p className="notice">{i18n._(faultSentences[page.fault])}</p>}
        <p className="mt-2 text-xl text-muted">
          <Trans>Watch your money arrive.</Trans>
        </p>
        <p className="mt-2 max-w-[65ch]">
          <Trans>
            You pay in crypto, from a wallet or an exchange. We can't take cards, and no gift can be undone.
          </Trans>
          <Gap />
          <PageLink to="/tokens" className="link inline-block py-0.5">
            <Trans>How to get tokens</Trans>
          </PageLink>
        </p>
        <ul className="mt-6 grid gap-4 md:grid-cols-3 md:gap-6">
          {pools.map((pool) => (
            <CauseCard key={pool.slug} pool={pool} page={page} />
          ))}
        </ul>
        <p className="mt-4 text-muted">
          <Trans>
            The tax on trades fills the treasury. Your gift goes straight to the wallet of the cause you
            choose, and waits there until the cause spends it.
          </Trans>
        </p>
        <h2 className="mt-10 text-heading">
          <Trans>Or give to</Trans>
        </h2>
        <ul className="mt-4 grid gap-x-6 md:grid-cols-2">
          {others.map(({ slug, isOpen }) => (
            <Choice
              key={slug}
              to={isOpen ? choicePath({ to: slug }) : null}
              picture={slug === 'treasury' ? 'treasury' : 'donated'}
              name={causeTitle(slug, i18n)}
            >
              {!isOpen && (
                <span className="block">
                  <Trans>Not open yet</Trans>
                </span>
              )}
              {slug === 'treasury' ? (
                <Trans>Shared among the pools, after costs</Trans>
              ) : (
                <Trans>Causes that CZ, the founder of Binance, names in public</Trans>
              )}
            </Choice>
          ))}
        </ul>
        {isFundMeOpen && (
          <p className="mt-4">
            <PageLink to="/giveback" className="link inline-block py-1">
              <Trans>Or give to a member's goal</Trans>
            </PageLink>
          </p>
        )}
        <div className="mt-8 max-w-[65ch]">
          <FindPayment minutes={page.minutes} />
        </div>
        <ImpostorNote />
        <FormerWallets wallets={former} />
      </div>
    </>
  )
}

/** The name of a cause as a link that covers the card. A cause without a wallet has no link. */
function CauseLink({ slug, isOpen }: { slug: string; isOpen: boolean }) {
  const { i18n } = useLanguage()
  if (!isOpen)
    return (
      <>
        <strong>{causeTitle(slug, i18n)}</strong>{' '}
        <span className="block text-muted">
          <Trans>Not open yet</Trans>
        </span>
      </>
    )
  return (
    <PageLink
      to={choicePath({ to: slug })}
      className="inline-block cover py-0.5 font-semibold hover:underline"
    >
      {causeTitle(slug, i18n)}
    </PageLink>
  )
}

function CauseCard({ pool, page }: { pool: CauseStepData['pools'][number]; page: CauseStepData }) {
  const { slug, image, description, totals } = pool
  const language = useLanguage()
  const last = page.payments?.find(({ account, note }) => account === slug && note)
  const isOpen = page.causes.some((cause) => cause.slug === slug && cause.isOpen)
  return (
    <li
      className="relative grid grid-cols-[7rem_minmax(0,1fr)] items-start gap-x-4 overflow-hidden rounded-block border border-hairline bg-raised p-4 md:block md:p-0 @max-[16rem]/column:block"
      data-hue={slug}
    >
      <img
        src={image}
        alt=""
        width="480"
        height="270"
        className="aspect-video h-auto w-full rounded-lg object-cover md:rounded-none @max-[16rem]/column:hidden"
      />
      <div className="md:p-6">
        <h2 className="flex items-center gap-x-3 text-xl lg:text-2xl">
          <span>
            <CauseLink slug={slug} isOpen={isOpen} />
          </span>
          {isOpen && <Arrow className="ms-auto text-xl" />}
        </h2>
        <p className="mt-1 md:mt-3">
          {last?.note ? (
            <>
              <span className="text-muted">
                <Trans>Bought last:</Trans>
              </span>
              <Gap />
              <EnglishWords>{last.note}</EnglishWords>
            </>
          ) : (
            language.i18n._(key(description))
          )}
        </p>
        {totals?.helping && (
          <p className="mt-1 text-muted md:mt-3">
            <span className="swatch hue-fill" aria-hidden="true" />{' '}
            {helpingWords(totals.helping.count, pool, language)}
          </p>
        )}
      </div>
    </li>
  )
}
