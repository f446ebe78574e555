// Without zod, because the page needs it before its first picture.

/** `urgent` is a part of `waiting`. What a person snoozed is in neither, until its time comes or it becomes urgent. */
export const inboxViews = ['urgent', 'waiting', 'snoozed'] as const
export type InboxView = (typeof inboxViews)[number]
