/**
 * Home as a single-page application: React renders it in the browser, supabase-js reads the session and the
 * figures, and each page is a chunk. The texts, styles and pictures are the same as on the site.
 */
import { createClient, type Session } from '@supabase/supabase-js'
import { createContext, useContext, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, Outlet, RouterProvider, useLocation } from 'react-router-dom'
import { divisionOf } from '../../../../app/ledger/flow'
import type { Totals } from '../../../../app/ledger/totals.server'
import type { loader } from '../../../../app/pages/routes/home/route'
import { Footer } from '../../../../app/platform/ui/footer'
import { NavigationBar } from '../../../../app/platform/ui/navigation'
import '../../../../app/styles.css'

const supabase = createClient(import.meta.env.VITE_SUPABASE_URL, import.meta.env.VITE_SUPABASE_KEY)

const SignedIn = createContext(false)

function Frame() {
  const [session, setSession] = useState<Session | null>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const { data } = supabase.auth.onAuthStateChange((_, changed) => setSession(changed))
    return () => data.subscription.unsubscribe()
  }, [])
  return (
    <SignedIn.Provider value={session !== null}>
      <Bar path={pathname} />
      <main id="content" className="flex-1">
        <Outlet />
      </main>
      <Footer />
    </SignedIn.Provider>
  )
}

function Bar({ path }: { path: string }) {
  return (
    <NavigationBar path={path} signedIn={useContext(SignedIn)} gives={path === '/'} open follows={false} />
  )
}

let totals: Totals | null = null

/**
 * Does the work of Home's loader. `totals` is null at first; readTotals reads the totals and calls this
 * function again.
 */
function homeData(): Awaited<ReturnType<typeof loader>> {
  return {
    totals,
    pools: [],
    payments: [],
    next: undefined,
    orderClock: 0,
    division: divisionOf(totals),
    causes: [],
    split: null,
    token: undefined,
    links: [
      { to: 'https://x.com', label: 'Follow us' },
      { to: 'https://t.me', label: 'Join the community' },
      { to: 'https://dexscreener.com/bsc', label: 'See the token chart' },
    ],
  }
}

async function readTotals(): Promise<void> {
  const { data } = await supabase.from('ledger_totals').select('*').single()
  totals = {
    treasuryUsd: data.treasury_usd * 100,
    receivedUsd: data.received_usd * 100,
    paidUsd: data.paid_usd * 100,
    donatedUsd: data.donated_usd * 100,
    donatedElsewhereUsd: data.donated_elsewhere_usd * 100,
    dreamsFundedUsd: data.dreams_funded_usd * 100,
    taxUsd: data.tax_usd * 100,
    giftsUsd: data.gifts_usd * 100,
    poolGiftsUsd: data.pool_gifts_usd * 100,
    spentUsd: data.spent_usd * 100,
    waitingUsd: data.waiting_usd * 100,
    otherInUsd: data.other_in_usd * 100,
    returnedUsd: data.returned_usd * 100,
    costsUsd: data.costs_usd * 100,
    otherOutUsd: data.other_out_usd * 100,
    transactionsCount: data.transactions_count,
    verifiedCount: data.verified_count,
    pendingCount: data.pending_count,
    disputedCount: data.disputed_count,
    unvaluedCount: data.unvalued_count,
    asOf: new Date(data.as_of),
  }
  await router.revalidate()
}

const page = (load: () => Promise<{ default: React.ComponentType }>) => async () => ({
  Component: (await load()).default,
})
const router = createBrowserRouter([
  {
    element: <Frame />,
    children: [
      { index: true, lazy: page(() => import('../../../../app/pages/routes/home/route')), loader: homeData },
      { path: 'risk', lazy: page(() => import('../../../../app/words/routes/risk')) },
      { path: 'terms', lazy: page(() => import('../../../../app/words/routes/terms')) },
      { path: 'privacy', lazy: page(() => import('../../../../app/words/routes/privacy')) },
    ],
  },
])

void readTotals()
createRoot(document.getElementById('root') as HTMLElement).render(<RouterProvider router={router} />)
