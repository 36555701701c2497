/**
 * The preview's toasts (spec §2). Only `copied` is used while FundMe is closed, because its forms are refused
 * (closed.server.ts).
 */
export const fundmeNotices = {
  voted: 'Vote submitted! Thank you for supporting this cause.',
  copied: 'Link copied to clipboard!',
  submitted: 'Fund pool submitted for review! Token holders will vote on it.',
} as const
