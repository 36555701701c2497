import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { useFollows } from '~/follow/follow'
import type { Text } from '~/platform/locales/i18n'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { SmallPrint } from '~/platform/ui/small-print'
import { type Column, Table } from '~/platform/ui/table'
import { phoneWalletHosts } from '~/wallet/phone-wallets'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`Privacy and cookies`,
  description: msg`No analytics, no advertising, no third-party scripts. The cookies this site uses, and what an account stores.`,
  path: '/privacy',
})

const cookies: { name: string; purpose: Text; life: Text }[] = [
  {
    name: 'sb-…-auth-token',
    purpose: msg`Keeps you signed in. A long one is split into parts, each with a number at the end. Until you confirm your email after signing up, there is also one that ends in “code-verifier”.`,
    life: msg`Until you sign out, at most 400 days`,
  },
  {
    name: 'notice',
    purpose: msg`Carries one message, such as “Welcome back!”, to the next page.`,
    life: msg`One minute`,
  },
  {
    name: 'draft',
    purpose: msg`Keeps what you typed into your profile if your session ends while you type.`,
    life: msg`Ten minutes`,
  },
  {
    name: 'pending-email',
    purpose: msg`Remembers the email address you want a link or code for, so that you can enter the code.`,
    life: msg`One hour`,
  },
  {
    name: 'recovery',
    purpose: msg`Lets you choose a new password after you opened a recovery link.`,
    life: msg`One hour`,
  },
  {
    name: 'pending-session',
    purpose: msg`Remembers the sign-in link you opened until you confirm.`,
    life: msg`Five minutes`,
  },
  {
    name: 'wallet',
    purpose: msg`Makes sure that a message your wallet signs works only once.`,
    life: msg`Five minutes`,
  },
  { name: 'lang', purpose: msg`Keeps the language that you chose in the menu.`, life: msg`One year` },
]

export function loader({ context }: LoaderFunctionArgs) {
  return { isOpen: context.config.FUNDME_OPEN, isVotingOpen: context.config.VOTING_OPEN }
}

export default function Privacy() {
  const { isOpen, isVotingOpen } = useLoaderData<typeof loader>()
  const follows = useFollows()
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const hosts = phoneWalletHosts.join(', ')
  const columns: Column<(typeof cookies)[number]>[] = [
    { name: t`Cookie`, cell: ({ name }) => <code className="font-mono sm:whitespace-nowrap">{name}</code> },
    { name: t`What it is for`, cell: ({ purpose }) => i18n._(purpose) },
    {
      name: t({ message: 'How long', comment: 'How long a cookie is kept' }),
      cell: ({ life }) => i18n._(life),
    },
  ]
  return (
    <SmallPrint
      path="/privacy"
      title={t`Privacy and cookies`}
      lead={t`You can read this whole site without an account. We don't track you.`}
    >
      <h2>
        <Trans>If you only read</Trans>
      </h2>
      <p>
        <Trans>
          We set no cookie, unless you choose a language. There are no analytics, no ads and no scripts from
          other companies. A quoted statement is plain text, not an embed. Our host, Cloudflare, sees your IP
          address in order to send you the page. For each request, our own log keeps the time, the page, the
          result and a reference. It doesn't hold your IP address, email or password.
        </Trans>
      </p>
      <p>
        <Trans>
          To stop abuse, we count sign-ins and similar requests by IP address and by account, for at most an
          hour.
        </Trans>
      </p>
      <p>
        <Trans>
          If your browser runs scripts, pages with live figures keep a connection to this site open. It
          carries only a version number and a list of what changed, so that your browser knows when to load
          the page again. It closes when you leave or hide the page. We limit the number of connections from
          one IP address. For that, we keep your IP address in memory while the connection is open. We don't
          store it.
        </Trans>
      </p>
      <p>
        <Trans>
          If you choose to check a payment on the blockchain yourself, your browser asks public blockchain
          services, and they see your IP address. The button says so first.
        </Trans>
      </p>

      <p>
        <Trans>
          If you press “Open in …” with the name of a wallet app, a site of its maker learns your IP address
          and which of our pages you open, but nothing that you typed: {hosts}.
        </Trans>
      </p>

      <h2>
        <Trans>Cookies</Trans>
      </h2>
      <p>
        <Trans>
          We use them only for things you asked for, so there is no banner to click away. Scripts can't read
          them, and your browser sends them to this site only. Over https, each name starts with{' '}
          <code className="font-mono">__Host-</code>.
        </Trans>
      </p>
      <Table columns={columns} rows={cookies} keyOf={({ name }) => name} />

      <h2>
        <Trans>If you make an account</Trans>
      </h2>
      <p>
        <Trans>
          We store your email, a scrambled (hashed) form of your password, and the username you choose. If you
          enter a wallet address, we store it. We also store your goals. If you turn on two-step sign-in, we
          store the key that your app uses. Supabase runs the database and the sign-in service for us.
        </Trans>
      </p>
      <p>
        <Trans>
          If you sign in with a wallet, or add one to your account, we store the address that it proved by
          signing a message, and when. For a wallet that you add, we also store the message and its signature.
          You can remove an added wallet on your dashboard at any time. Your wallet's keys never leave your
          wallet.
        </Trans>
      </p>
      <p>
        <Trans>
          If you add a picture, we store a square copy without the place, time and camera details. We don't
          keep the file you sent. If you remove or replace a picture, it leaves our pages within a minute, and
          we delete it within an hour. Until we delete it, anyone who has its exact address can see it.
        </Trans>
      </p>
      <p>
        {follows ? (
          <Trans>
            Only you can see your profile. We use your email to sign you in and to confirm it, and, if you
            follow something, for that, and for nothing else. We sell nothing and share nothing.
          </Trans>
        ) : (
          <Trans>
            Only you can see your profile. We use your email to sign you in and to confirm it, and for nothing
            else. We sell nothing and share nothing.
          </Trans>
        )}
      </p>

      {isOpen && <AskingForMoney />}

      {follows && <FollowingByEmail />}

      <h2 id="arrival">
        <Trans>If we paid you</Trans>
      </h2>
      <p>
        <Trans>
          We ask recipients whether a payment arrived. Before a payment, two operators may enter a recipient's
          email address. We keep it for this question only, and no page shows it. We delete it when its owner
          presses “Never ask me again”, when an email to it comes back, or 13 months after the last question.
          After “Never ask me again” we keep a hash of it, so that no one can enter it again.
        </Trans>
      </p>
      <p>
        <Trans>
          Your answer is public for ever, with who entered the address or printed the link. A name and words
          are up to you, and one of our operators reads them before everyone can, or says in public why they
          are not published. With your link you delete both at one press for 180 days, and the log keeps only
          a hash; later, write to us. We ask a private person for no name. If your wallet is an account at an
          exchange, two operators may say so in public.
        </Trans>
      </p>

      <h2>
        <Trans>What is public for ever</Trans>
      </h2>
      <p>
        <Trans>
          The ledger shows the transactions of a public blockchain, with the address of each sender and each
          recipient. If you donate, everyone can read your address on that blockchain, even without this site.
          No one can delete it.
        </Trans>
      </p>
      <p>
        <Trans>
          If you hold a key of our wallets and show it by a signature, everyone can read the address, the day
          and the signature, and what two operators say about you. A role is enough, and that text can be
          withdrawn.
        </Trans>
      </p>
      {isVotingOpen && (
        <p>
          <Trans>
            If a wallet votes on a goal, everyone can read its address, its choice and its weight, and no one
            can delete them. A ballot that is refused is kept for a week, for the member who handed it in.
          </Trans>
        </p>
      )}
      <p>
        <Trans>
          If you pay with a wallet in this browser, the browser keeps the amount and the cause until you open
          the thanks and the ledger has your payment. We don't receive them. An amount that you typed stays in
          its tab until you close it.
        </Trans>
      </p>

      <p>
        <Trans>
          If you agreed to be on a photograph of ours, operators keep how and when. Write to us, and both go.
        </Trans>
      </p>

      <h2>
        <Trans>Your rights</Trans>
      </h2>
      <p>
        {follows ? (
          <Trans>
            You can change your username, and change or remove your wallet address, on your{' '}
            <PageLink to="/dashboard">dashboard</PageLink>. On your{' '}
            <PageLink to="/dashboard/account">account page</PageLink> you can download everything we store
            about you, and delete your account. Deleting removes your profile, goals, added wallets, what you
            follow and sign-in right away, and your picture within an hour. For anything else,{' '}
            <PageLink to="/contact">write to us</PageLink>.
          </Trans>
        ) : (
          <Trans>
            You can change your username, and change or remove your wallet address, on your{' '}
            <PageLink to="/dashboard">dashboard</PageLink>. On your{' '}
            <PageLink to="/dashboard/account">account page</PageLink> you can download everything we store
            about you, and delete your account. Deleting removes your profile, goals, added wallets and
            sign-in right away, and your picture within an hour. For anything else,{' '}
            <PageLink to="/contact">write to us</PageLink>.
          </Trans>
        )}
      </p>
      <p>
        <Trans>Other sites, such as the block explorer, have their own rules.</Trans>
      </p>
    </SmallPrint>
  )
}

/** The part about emails, shown only if visitors can follow topics by email. */
function FollowingByEmail() {
  return (
    <>
      <h2 id="follow">
        <Trans>If you follow by email</Trans>
      </h2>
      <p>
        <Trans>
          You ask us for these emails, and you can stop them at any time with the link in each of them. That
          is the only reason why we store your address (in the terms of EU law: your consent). We store your
          address, what you follow, since when, the language, and a random code for the links.
        </Trans>
      </p>
      <p>
        <Trans>
          You confirm an address by a link. If you don't, we delete it after three days. Otherwise we delete
          it immediately when you stop all emails or delete your account. After 12 months we ask you whether
          to go on, and a month later we delete it if you didn't answer.
        </Trans>
      </p>
      <p>
        <Trans>
          Resend, a company in the United States, delivers the emails. It sees your address and what we send.
          If an email can't be delivered, or you report it as spam, we keep a hash of the address for 13
          months, so that we don't write to it again. Our emails have no tracking pixels and no redirected
          links. If you follow “When a pool that I gave to spends”, we compare each pool's gifts with the
          wallets that you added.
        </Trans>
      </p>
      <p>
        <Trans>
          Without an account, you can <PageLink to="/contact">ask us</PageLink> what we store about your
          address. In the EU you can also complain to your data protection authority.
        </Trans>
      </p>
    </>
  )
}

/** The part about goals, shown only while FundMe is open. */
function AskingForMoney() {
  return (
    <>
      <h2>
        <Trans>If you ask for money, or report a goal</Trans>
      </h2>
      <p>
        <Trans>
          Only you can see the draft of a goal. When you submit it, our operators read it with its picture and
          its wallet, and they see your earlier goals. We keep what you submitted until the goal is approved,
          or until you delete the draft or your account.
        </Trans>
      </p>
      <p>
        <Trans>
          Once a goal is approved, everyone can read it for ever: its texts, picture, plan and wallet, the
          name that you typed, each gift, your updates and what operators decided. Your username and email
          address are not part of it. Two operators can withdraw a text. Then we delete it, and only a hash
          stays. A picture of a goal is stored without the place, time and camera details.
        </Trans>
      </p>
      <p>
        <Trans>
          If you report a problem with a goal, we store your account, the reason and your text. Operators read
          the reason and the text, not who you are. The member who asks for money never learns who reported
          it.
        </Trans>
      </p>
      <p>
        <Trans>
          If you delete your account, we delete your goals that were never public, their pictures and the
          problems that you reported. An open goal ends with “The member deleted their account.” What was
          published stays, without a name but the one that you typed.
        </Trans>
      </p>
    </>
  )
}
