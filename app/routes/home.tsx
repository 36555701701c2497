import type { MetaFunction } from '@remix-run/cloudflare'
import { brand } from '~/site'

export const meta: MetaFunction = () => [{ title: `${brand}: From Binance Community, For Everyone` }]

export default function Home() {
  return (
    <div className="column py-section">
      <h1 className="text-hero">From Binance Community, For Everyone</h1>
    </div>
  )
}
