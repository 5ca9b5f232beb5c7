/** Branded ids: a user's id in place of a channel's does not compile. */

declare const brand: unique symbol
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }

/** A user or bot; ids are dense, from 1, so that they index bitmaps directly. */
export type UserId = Branded<number, 'user'>
/** A channel; on the wire a `stream_id`. */
export type ChannelId = Branded<number, 'channel'>
/** A user group; ids are dense, the system groups first. */
export type GroupId = Branded<number, 'group'>
/** A custom field of the users' profiles; an id is never used again. */
export type ProfileFieldId = Branded<number, 'profileField'>
/** One of the organization's own emoji; ids are dense, from 1. */
export type EmojiId = Branded<number, 'emoji'>
/** A linkifier; an id is never used again. */
export type LinkifierId = Branded<number, 'linkifier'>
/** A playground for code; an id is never used again. */
export type PlaygroundId = Branded<number, 'playground'>
/** A group of channels for new users; an id is never used again. */
export type ChannelGroupId = Branded<number, 'channelGroup'>
/** A domain of email addresses. */
export type EmailDomainId = Branded<number, 'emailDomain'>
/** An export of the organization; an id is never used again. */
export type ExportId = Branded<number, 'export'>
export type ImportId = Branded<number, 'import'>
/** A legal hold; it is the number of the event that placed it. */
export type HoldId = Branded<number, 'hold'>
/** A folder of channels. */
export type FolderId = Branded<number, 'folder'>
/** A conversation, with one fixed set of users. */
export type ConversationId = Branded<number, 'conversation'>
/** A position in the event log: gapless, in commit order. 0 stands before the first event. */
export type EventId = Branded<number, 'event'>
/** A message; it is the number of the event that sent it. */
export type MessageId = Branded<number, 'message'>
/** A draft; it is the number of the event that created it. */
export type DraftId = Branded<number, 'draft'>
/** A saved snippet; it is the number of the event that created it. */
export type SnippetId = Branded<number, 'snippet'>
/** An uploaded file. */
export type UploadId = Branded<number, 'upload'>
/** A push device; it is the number of the event that created it. */
export type DeviceId = Branded<number, 'device'>
/** The id of a subscription to web push. */
export type WebPushId = Branded<number, 'webPush'>
/** A scheduled message; it is the number of the event that created it. */
export type ScheduledId = Branded<number, 'scheduled'>
/** A reminder; it is the number of the event that created it. */
export type PinId = Branded<number, 'pin'>

export type ReminderId = Branded<number, 'reminder'>
/** An invitation; it is the number of the event that created it. */
export type InvitationId = Branded<number, 'invitation'>
/** An event queue: a random UUID. */
export type QueueId = Branded<string, 'queue'>
