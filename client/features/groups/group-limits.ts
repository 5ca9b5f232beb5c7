/** The limits of the server, so that fields do not take more. */

export const GROUP_NAME_LENGTH_MAX = 100
export const GROUP_DESCRIPTION_LENGTH_MAX = 1_024
