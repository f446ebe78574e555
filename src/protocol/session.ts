import * as z from 'zod'
import { scopes } from './token.ts'

// A session is a browser that is signed in. It exists over HTTP only: the hub in process has no sessions.

/** Who is calling. */
export const sessionSchema = z.object({
  user: z.string(),
  scope: z.enum(scopes),
  expiresAt: z.string().nullable(),
})
export type Session = z.output<typeof sessionSchema>

export const newSessionSchema = sessionSchema.extend({
  page: z.string().describe('Goes with the cookie in every call, as the header `Beckon-Page`.'),
})

export const signInSchema = z.strictObject({ secret: z.string().min(1).max(500) })

/** A browser that is signed in, as its owner sees it in a list. */
export const signedInBrowserSchema = z.object({
  id: z.string(),
  user: z.string(),
  scope: z.enum(scopes),
  device: z.string().nullable().describe('For example "Firefox on Linux".'),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  current: z.boolean().describe('This is the session that asks.'),
})
export type SignedInBrowser = z.output<typeof signedInBrowserSchema>

/** A link that signs in another device, once. */
export const signInLinkSchema = z.object({ url: z.string(), expiresAt: z.string() })
export type SignInLink = z.output<typeof signInLinkSchema>

/** A link that signs in a phone, once, to answer and nothing more; mostly shown as a QR code. */
export const phoneLinkSchema = z.object({
  url: z.string().nullable().describe('Null where no other device can reach this server: see `--public-url`.'),
  expiresAt: z.string().nullable(),
})
export type PhoneLink = z.output<typeof phoneLinkSchema>
