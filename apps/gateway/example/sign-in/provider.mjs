// An OpenID provider in memory with two users, and an MCP server that accepts its tokens at /mcp:
// `node provider.mjs <port> <URL of the gateway>`. For this example alone: it has no TLS and the passwords are in the file.
import { createServer } from 'node:http';
import { Provider, errors } from 'oidc-provider';
import { serveDiary } from './diary.mjs';
import { consentPage, expiredPage, loginPage } from './pages.mjs';
import { USERS } from './users.mjs';

const [port = '8092', gateway = 'http://127.0.0.1:8090'] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const resource = `${issuer}/mcp`;
const NATIVE = { token_endpoint_auth_method: 'none', response_types: ['code'] };

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'gateway',
      client_name: 'The gateway',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [`${gateway}/oauth/upstream/callback`],
      ...NATIVE,
    },
  ],
  clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], ...NATIVE },
  scopes: ['openid', 'offline_access', 'profile', 'email', 'groups', 'diary'],
  claims: { openid: ['sub'], profile: ['name'], email: ['email'], groups: ['groups'] },
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  findAccount: (_ctx, id) => {
    const user = USERS.get(id);
    return user && { accountId: id, claims: () => ({ sub: id, ...user.claims }) };
  },
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, wanted) => {
        if (wanted !== resource) throw new errors.InvalidTarget();
        return { scope: 'diary', audience: resource, accessTokenFormat: 'opaque' };
      },
    },
  },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
});

const readForm = async (request) => {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 4096) throw new Error('the form is too large');
  }
  return new URLSearchParams(text);
};

const send = (response, status, html) =>
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY' })
    .end(html);

const grantAll = async ({ session, params, prompt }) => {
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope ?? '');
  for (const [name, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {}))
    grant.addResourceScope(name, scopes.join(' '));
  return { consent: { grantId: await grant.save() } };
};

const decide = async (interaction, form) => {
  if (form.get('decision') === 'allow') return grantAll(interaction);
  return { error: 'access_denied', error_description: 'The sign-in was denied.' };
};

const interact = async (request, response) => {
  const interaction = await provider.interactionDetails(request, response);
  const isLogin = interaction.prompt.name === 'login';
  if (request.method !== 'POST') {
    const { client_id: id } = interaction.params;
    const client = (await provider.Client.find(id))?.clientName ?? id;
    return send(response, 200, isLogin ? loginPage({}) : consentPage({ client }));
  }
  const form = await readForm(request);
  const accountId = form.get('login');
  if (isLogin && USERS.get(accountId)?.password !== form.get('password'))
    return send(response, 401, loginPage({ problem: 'The user or the password is not correct.' }));
  const result = isLogin ? { login: { accountId } } : await decide(interaction, form);
  return provider.interactionFinished(request, response, result);
};

const callback = provider.callback();
const diary = serveDiary({
  issuer,
  resource,
  findToken: (token) => provider.AccessToken.find(token),
});
createServer((request, response) => {
  const { pathname } = new URL(request.url, issuer);
  if (pathname.startsWith('/interaction/'))
    interact(request, response).catch(() => send(response, 400, expiredPage()));
  else if (!diary(request, response)) callback(request, response);
}).listen(Number(port), '127.0.0.1');
