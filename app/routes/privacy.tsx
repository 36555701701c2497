import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { SmallPrint } from '~/ui/small-print'

export const handle = cached()

export const meta = pageMeta({
  title: 'Privacy and cookies',
  description:
    'No analytics, no advertising, no third-party scripts. The three cookies of this site, and the little that an account stores.',
  path: '/privacy',
})

const cookies = [
  {
    name: 'sb-…-auth-token',
    purpose:
      'Keeps you signed in. A long one is split in parts with a number at the end. While a sign-up waits for you to confirm your e-mail, a cookie ending in “code-verifier” stands beside it.',
    life: 'Until you sign out, at most 400 days',
  },
  {
    name: 'notice',
    purpose: 'Carries one message, such as “Welcome back!”, to the next page.',
    life: 'One minute',
  },
  {
    name: 'draft',
    purpose: 'Keeps what you typed into your profile if your session ended while you were typing.',
    life: 'Ten minutes',
  },
  {
    name: 'pending-email',
    purpose: 'Remembers which e-mail address you asked for a link or code, so that you can enter it.',
    life: 'One hour',
  },
  {
    name: 'recovery',
    purpose: 'Lets you choose a new password after you opened a recovery link.',
    life: 'One hour',
  },
  {
    name: 'pending-session',
    purpose: 'Holds the sign-in that a link has brought until you say yes to it.',
    life: 'Five minutes',
  },
  {
    name: 'wallet',
    purpose: 'Makes sure that a message your wallet signs can be used once.',
    life: 'Five minutes',
  },
]

export default function Privacy() {
  return (
    <SmallPrint
      path="/privacy"
      title="Privacy and cookies"
      lead="You can read this whole site without an account, and without being followed by anyone."
    >
      <h2>If you only read</h2>
      <p>
        We set no cookie. There are no analytics, no advertisements and no scripts of other companies; a
        quoted statement is plain text, not an embed. Our host, Cloudflare, sees your IP address in order to
        send you the page. Our own log of a request holds its time, the page it asked for, the result and a
        reference. It does not hold your IP address, e-mail or password.
      </p>

      <h2>Cookies</h2>
      <p>
        All of them are needed for something you asked for, so there is no banner to click away. Scripts can't
        read them, and they are sent to this site alone.
      </p>
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">Cookie</th>
            <th scope="col">What it is for</th>
            <th scope="col">How long</th>
          </tr>
        </thead>
        <tbody>
          {cookies.map(({ name, purpose, life }) => (
            <tr key={name}>
              <td data-label="Cookie">
                <code className="font-mono">{name}</code>
              </td>
              <td data-label="For">{purpose}</td>
              <td data-label="How long">{life}</td>
            </tr>
          ))}
        </tbody>
      </table>

      <h2>If you make an account</h2>
      <p>
        We store your e-mail address, your password in a form that can't be turned back into it, and the
        username you choose. A wallet address is stored if you enter one. So are the fund pools you own. The
        database and the sign-in service are run for us by Supabase.
      </p>
      <p>
        If you add a picture, we store a square copy of it without the place, the time and the camera that its
        file names; the file that you sent is not kept. A picture that you remove or replace is deleted within
        an hour and no longer shown after a minute. Whoever has its exact address can see it until then.
      </p>
      <p>
        Your profile is shown to you and to no other member. We use your e-mail address to sign you in and to
        confirm it, and for nothing else. We sell nothing and share nothing.
      </p>

      <h2>What is public for ever</h2>
      <p>
        The ledger shows transactions of a public blockchain with the addresses that sent and received them.
        If you donate, your address can be read there by everyone, with or without this site. Nobody can
        delete it.
      </p>

      <h2>Your rights</h2>
      <p>
        You can change your username and wallet address, or empty the latter, on your dashboard. To get a copy
        of what we store, to correct it or to have your account deleted with all that belongs to it,{' '}
        <a href="/contact">write to us</a>. Links to other sites, such as the block explorer, lead to places
        with rules of their own.
      </p>
    </SmallPrint>
  )
}
