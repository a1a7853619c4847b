// Who gives out tokens: `oidc-provider`, as strict as MCP wants it, with the forms that it brings for people to log in.
//
// PORT is where it listens, PACKAGES the folder of the packages, LIFE how many seconds a token lasts. What happened is told at
// `/told`; `/revoke` ends all that was granted; `/outlaw` has it say from then on that its name is another.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// What newer versions of Node have.
URL.parse ??= (text) => (URL.canParse(text) ? new URL(text) : null);

const { default: Provider } = await import(
  pathToFileURL(join(process.env.PACKAGES, 'node_modules', 'oidc-provider', 'lib', 'index.js')).href
);

const port = Number(process.env.PORT);
const issuer = `http://127.0.0.1:${port}`;
const told = { grants: [], refused: [], revoked: 0, given: [], clients: [], fetched: [] };
let named = issuer;

// All that it keeps, so that the tests can end it.
const kept = new Map();
class Memory {
  constructor(kind) {
    this.kind = kind;
  }
  name(id) {
    return `${this.kind}:${id}`;
  }
  async upsert(id, payload) {
    kept.set(this.name(id), { ...payload });
  }
  async find(id) {
    return kept.get(this.name(id));
  }
  async findByUid(uid) {
    return [...kept.values()].find((payload) => payload.kind === 'Session' && payload.uid === uid);
  }
  async findByUserCode() {}
  async consume(id) {
    kept.get(this.name(id)).consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id) {
    kept.delete(this.name(id));
  }
  async revokeByGrantId(grant) {
    told.revoked += 1;
    for (const [name, payload] of kept) {
      if (payload.grantId === grant) kept.delete(name);
    }
  }
}

const provider = new Provider(issuer, {
  adapter: Memory,
  clients: [
    {
      client_id: 'known-beforehand',
      client_secret: 'the-secret-of-the-known-one',
      application_type: 'native',
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  cookies: { keys: ['only for tests'] },
  features: {
    devInteractions: { enabled: true },
    clientIdMetadataDocument: { enabled: process.env.DOCUMENTS === 'yes', ack: 'draft-02' },
    registration: { enabled: process.env.REGISTERS !== 'no' },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'notes:read notes:write',
        audience: process.env.AUDIENCE ?? resource,
        accessTokenTTL: Number(process.env.LIFE ?? 3600),
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
  // The one document that there is. It stands where an address over TLS would be.
  fetch: async (url) => {
    told.fetched.push(String(url));
    return Response.json({
      client_id: 'https://portcullis.example/client.json',
      client_name: 'Portcullis',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
  },
  findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  pkce: { required: () => true },
  rotateRefreshToken: true,
  scopes: ['openid', 'offline_access'],
  clientBasedCORS: () => false,
});

provider.on('grant.success', (ctx) => {
  told.grants.push(ctx.oidc.params.grant_type);
  told.clients.push(ctx.oidc.client.clientId);
  const { access_token, refresh_token } = ctx.body;
  told.given.push(access_token, refresh_token);
});
provider.on('grant.error', (_, error) => told.refused.push(error.error));

provider.use(async (ctx, next) => {
  switch (ctx.path) {
    case '/told':
      ctx.body = told;
      return;
    case '/revoke':
      for (const name of kept.keys()) {
        if (/^(Grant|RefreshToken|AccessToken):/.test(name)) kept.delete(name);
      }
      ctx.body = {};
      return;
    case '/outlaw':
      named = 'http://127.0.0.1:1/another';
      ctx.body = {};
      return;
    default:
      await next();
      if (named !== issuer && ctx.path.startsWith('/.well-known/')) ctx.body = { ...ctx.body, issuer: named };
  }
});

provider.listen(port, '127.0.0.1');
