import { useFollows } from '~/follow/follow'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/seo'
import { SmallPrint } from '~/ui/small-print'
import { type Column, Table } from '~/ui/table'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: 'Privacy and cookies',
  description:
    'No analytics, no advertising, no third-party scripts. The cookies this site uses, and what an account stores.',
  path: '/privacy',
})

const cookies = [
  {
    name: 'sb-…-auth-token',
    purpose:
      'Keeps you signed in. A long one is split into parts, each with a number at the end. Until you confirm your email after signing up, there is also one that ends in “code-verifier”.',
    life: 'Until you sign out, at most 400 days',
  },
  {
    name: 'notice',
    purpose: 'Carries one message, such as “Welcome back!”, to the next page.',
    life: 'One minute',
  },
  {
    name: 'draft',
    purpose: 'Keeps what you typed into your profile if your session ends while you type.',
    life: 'Ten minutes',
  },
  {
    name: 'pending-email',
    purpose: 'Remembers the email address you want a link or code for, so that you can enter the code.',
    life: 'One hour',
  },
  {
    name: 'recovery',
    purpose: 'Lets you choose a new password after you opened a recovery link.',
    life: 'One hour',
  },
  {
    name: 'pending-session',
    purpose: 'Remembers the sign-in link you opened until you confirm.',
    life: 'Five minutes',
  },
  {
    name: 'wallet',
    purpose: 'Makes sure that a message your wallet signs works only once.',
    life: 'Five minutes',
  },
]

const columns: Column<(typeof cookies)[number]>[] = [
  {
    name: 'Cookie',
    cell: ({ name }) => <code className="font-mono sm:whitespace-nowrap">{name}</code>,
  },
  { name: 'What it is for', cell: ({ purpose }) => purpose },
  { name: 'How long', cell: ({ life }) => life },
]

export default function Privacy() {
  const follows = useFollows()
  return (
    <SmallPrint
      path="/privacy"
      title="Privacy and cookies"
      lead="You can read this whole site without an account. We don't track you."
    >
      <h2>If you only read</h2>
      <p>
        We set no cookie. There are no analytics, no ads and no scripts from other companies. A quoted
        statement is plain text, not an embed. Our host, Cloudflare, sees your IP address in order to send you
        the page. For each request, our own log keeps the time, the page, the result and a reference. It
        doesn't hold your IP address, email or password.
      </p>
      <p>
        To stop abuse, we count sign-ins and similar requests by IP address and by account, for at most an
        hour.
      </p>
      <p>
        If your browser runs scripts, pages with live figures keep a connection to this site open. It carries
        only a version number and a list of what changed, so that your browser knows when to load the page
        again. It closes when you leave or hide the page. We limit the number of connections from one IP
        address. For that, we keep your IP address in memory while the connection is open. We don't store it.
      </p>
      <p>
        If you choose to check a payment on the blockchain yourself, your browser asks public blockchain
        services, and they see your IP address. The button says so first.
      </p>

      <h2>Cookies</h2>
      <p>
        We use them only for things you asked for, so there is no banner to click away. Scripts can't read
        them, and your browser sends them to this site only. Over https, each name starts with{' '}
        <code className="font-mono">__Host-</code>.
      </p>
      <Table columns={columns} rows={cookies} keyOf={({ name }) => name} />

      <h2>If you make an account</h2>
      <p>
        We store your email, a scrambled (hashed) form of your password, and the username you choose. If you
        enter a wallet address, we store it. We also store your fund pools. If you turn on two-step sign-in,
        we store the key that your app uses. Supabase runs the database and the sign-in service for us.
      </p>
      <p>
        If you sign in with a wallet, or add one to your account, we store the address that it proved by
        signing a message, and when. For a wallet that you add, we also store the message and its signature.
        You can remove an added wallet on your dashboard at any time. Your wallet's keys never leave your
        wallet.
      </p>
      <p>
        If you add a picture, we store a square copy without the place, time and camera details. We don't keep
        the file you sent. If you remove or replace a picture, it leaves our pages within a minute, and we
        delete it within an hour. Until we delete it, anyone who has its exact address can see it.
      </p>
      <p>
        Only you can see your profile. We use your email to sign you in and to confirm it
        {follows && ', and, if you follow something, for that'}, and for nothing else. We sell nothing and
        share nothing.
      </p>

      {follows && <FollowingByEmail />}

      <h2>What is public for ever</h2>
      <p>
        The ledger shows transactions of a public blockchain, with the addresses that sent and received them.
        If you donate, everyone can read your address there, with or without this site. Nobody can delete it.
      </p>
      <p>
        If you pay with a wallet in this browser, the browser keeps the amount and the cause until you open
        the thanks and the ledger has your payment. We don't receive them. An amount that you typed stays in
        its tab until you close it.
      </p>

      <h2>Your rights</h2>
      <p>
        You can change your username, and change or remove your wallet address, on your{' '}
        <a href="/dashboard">dashboard</a>. On your <a href="/dashboard/account">account page</a> you can
        download everything we store about you, and delete your account. Deleting removes your profile, fund
        pools, added wallets{follows && ', what you follow'} and sign-in right away, and your picture within
        an hour. For anything else, <a href="/contact">write to us</a>.
      </p>
      <p>Other sites, such as the block explorer, have their own rules.</p>
    </SmallPrint>
  )
}

/** Shown only where pages can be followed. */
function FollowingByEmail() {
  return (
    <>
      <h2 id="follow">If you follow by email</h2>
      <p>
        You ask us for these emails, and you can stop them at any time with the link in each of them. That is
        the only reason why we store your address (in the terms of EU law: your consent). We store your
        address, what you follow, since when, the language, and a random code for the links.
      </p>
      <p>
        You confirm an address by a link. If you don't, we delete it after three days. Otherwise we delete it
        immediately when you stop all emails or delete your account. After 12 months we ask you whether to go
        on, and a month later we delete it if you didn't answer.
      </p>
      <p>
        Resend, a company in the United States, delivers the emails. It sees your address and what we send. If
        an email can't be delivered, or you report it as spam, we keep a hash of the address for 13 months, so
        that we don't write to it again. Our emails have no tracking pixels and no redirected links. If you
        follow “When a pool that I gave to spends”, we compare each pool's gifts with the wallets that you
        added.
      </p>
      <p>
        Without an account, you can <a href="/contact">ask us</a> what we store about your address. In the EU
        you can also complain to your data protection authority.
      </p>
    </>
  )
}
