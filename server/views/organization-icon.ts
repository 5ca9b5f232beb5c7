/** The icon of the organization: it cannot be changed yet, so all have the server's own. */

/** The address of the icon. */
export const ORGANIZATION_ICON_URL = '/static/images/organization.png'
