/** The page after a form was sent to FundMe, which is not open yet. */
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
      <p className="badge badge-line text-base">Coming Soon</p>
      <h1 className="text-title">FundMe isn't open yet</h1>
      <p className="max-w-[60ch] text-muted">
        We didn't save what you sent. You can create pools and vote once FundMe opens. Until then, this is a
        preview.
      </p>
      <a href="/giveback" className="button button-ink">
        Back to the preview
      </a>
    </div>
  )
}
