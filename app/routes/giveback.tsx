import type { MetaFunction } from '@remix-run/cloudflare'
import { pageTitle } from '~/site'

export const meta: MetaFunction = () => [{ title: pageTitle('Community FundMe') }]

export default function Page() {
  return (
    <div className="column py-section">
      <h1 className="text-title">Community FundMe</h1>
      <p className="mt-4 text-xl text-muted">
        Token holders vote on causes that matter. From community, to community.
      </p>
    </div>
  )
}
