/**
 * An email from the auth service. scripts/mail-templates.ts writes supabase/templates and the subjects in
 * supabase/config.toml from these emails and the catalogs. Sentences are keys (platform/locales/key.ts). `{email}` is
 * the current address, and `{new_email}` the new address.
 */
export interface AuthMail {
  /** The name of the email's file, and of the email's section in config.toml. */
  name: 'confirmation' | 'email_change' | 'invite' | 'magic_link' | 'recovery'
  subject: string
  text: string
  /** The query of the link, after the token. */
  link: string
  button: string
  hasCode: boolean
  /** An explanation below the button. */
  more?: string
  /** The last lines: how long the link is valid, and what to do if the reader did not request the email. */
  small: string
}

export const codeSentence = /* i18n */ 'Or enter this code:'

export const authMails: readonly AuthMail[] = [
  {
    name: 'confirmation',
    subject: /* i18n */ 'Confirm your email',
    text: /* i18n */ "Welcome to {brand}! Confirm that {email} is your email and you're in.",
    link: 'type=email',
    button: /* i18n */ 'Confirm email',
    hasCode: true,
    small:
      /* i18n */ "The link and code work once, for one hour. Didn't sign up? Ignore this email and nothing happens.",
  },
  {
    name: 'email_change',
    subject: /* i18n */ 'Confirm your new email',
    text: /* i18n */ 'You asked to change your email from {email} to {new_email}.',
    link: 'type=email_change&new_email={{ .NewEmail }}',
    button: /* i18n */ 'Confirm the change',
    hasCode: false,
    more: /* i18n */ 'If we wrote to both addresses, open both links. If the first link was enough, the second one is no longer valid.',
    small:
      /* i18n */ "The link works once, for one hour. Didn't ask for this? Don't open the link. Change your password: someone may be using your account.",
  },
  {
    name: 'invite',
    subject: /* i18n */ 'You are invited to {brand}',
    text: /* i18n */ "You've been invited to {brand} as {email}. Accept and choose a password.",
    link: 'type=invite',
    button: /* i18n */ 'Accept the invitation',
    hasCode: false,
    small:
      /* i18n */ "The link works once, for one hour. Didn't expect this? Ignore this email. Nobody can sign in without it.",
  },
  {
    name: 'magic_link',
    subject: /* i18n */ 'Sign in to {brand}',
    text: /* i18n */ 'You asked to sign in as {email}.',
    link: 'type=email&purpose=sign-in',
    button: /* i18n */ 'Sign in',
    hasCode: true,
    small:
      /* i18n */ "The link and code work once, for one hour. Didn't ask for this? Ignore this email. Nobody can sign in without it.",
  },
  {
    name: 'recovery',
    subject: /* i18n */ 'Choose a new password',
    text: /* i18n */ 'You asked for a new password for {email}.',
    link: 'type=recovery',
    button: /* i18n */ 'Choose a new password',
    hasCode: true,
    small:
      /* i18n */ "The link and code work once, for one hour. Didn't ask for this? Ignore this email. Your password won't change.",
  },
]
