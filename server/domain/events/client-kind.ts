/** Which clients an event is for, where what they understand decides on its form. */
export type ClientKind =
  | 'with_archived_channels'
  | 'without_archived_channels'
  | 'with_deactivated_groups'
  | 'without_deactivated_groups'
  | 'with_bulk_deletion'
  | 'without_bulk_deletion'
  | 'with_channel_typing'
  | 'without_settings_object'
  | 'with_simplified_presence'
  | 'without_simplified_presence'
  | 'with_linkifier_templates'
  | 'without_incomplete_users'
