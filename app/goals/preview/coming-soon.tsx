import { Trans } from '@lingui/react/macro'
import { PageLink } from '../../platform/locales/react'
/** The page that a visitor sees after sending a form while FundMe is closed. */
export function ComingSoon() {
  return (
    <div className="column grid justify-items-center gap-6 py-section text-center">
      <img
        src="/drawings/scenes/bakery.svg"
        alt=""
        width="480"
        height="270"
        className="h-auto w-full rounded-block max-w-md"
      />
      <p className="badge badge-line text-base">
        <Trans>Coming Soon</Trans>
      </p>
      <h1 className="text-title">
        <Trans>FundMe isn't open yet</Trans>
      </h1>
      <p className="max-w-[60ch] text-muted">
        <Trans>
          We didn't save what you sent. You can create pools and vote once FundMe opens. Until then, this is a
          preview.
        </Trans>
      </p>
      <PageLink to="/giveback" className="button button-ink">
        <Trans>Back to the preview</Trans>
      </PageLink>
    </div>
  )
}
