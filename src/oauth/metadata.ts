/** What `/mcp` says of itself (RFC 9728). */
export function protectedResource(own: string) {
  return {
    resource: `${own}/mcp`,
    authorization_servers: [own],
    bearer_methods_supported: ['header'],
    resource_name: 'Diwan',
    resource_documentation: `${own}/docs`,
  }
}

/** What the server that grants access says of itself (RFC 8414). */
export function authorizationServer(own: string) {
  return {
    issuer: own,
    authorization_endpoint: `${own}/oauth/authorize`,
    token_endpoint: `${own}/oauth/token`,
    registration_endpoint: `${own}/oauth/register`,
    revocation_endpoint: `${own}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${own}/docs`,
    ui_locales_supported: ['en', 'ar'],
  }
}

/** Whether a client means this resource, however it writes the address. */
export function isSameResource(sent: string, own: string): boolean {
  if (!URL.canParse(sent)) return false
  const { origin, pathname, search, hash } = new URL(sent)
  return search === '' && hash === '' && `${origin}${pathname.replace(/\/$/, '')}` === new URL(own).href
}
