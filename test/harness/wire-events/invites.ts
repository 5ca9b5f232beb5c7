/** Invitations, which no registration tells. */

import { notRegistered, type WireReducers } from './wire-reducer.ts'

export const INVITE_REDUCERS: WireReducers = { 'invites_changed/': notRegistered }
