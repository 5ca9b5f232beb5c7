/** Starts the reference page with this server's own document; it loads nothing from other servers. */

globalThis.SwaggerUIBundle({
  dom_id: '#reference',
  url: '/api/v1/openapi.json',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  validatorUrl: null,
  // Sends only the credentials entered under 'Authorize'; otherwise the browser would ask for a password.
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
})
