/** Starts the reference page on this server's own document, and asks no other server for anything. */

globalThis.SwaggerUIBundle({
  dom_id: '#reference',
  url: '/api/v1/openapi.json',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  validatorUrl: null,
  // What is entered under 'Authorize' is sent; without it the browser would ask for a password of its own.
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
})
