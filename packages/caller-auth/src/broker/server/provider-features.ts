import { randomBytes } from 'node:crypto';
import { errors, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { clientMetadataOf } from '../clients/client-metadata.ts';
import { deviceFlow } from './device-forms.ts';
import { GATEWAY_SCOPES } from '../../tokens/scopes.ts';
import type { ServerContext } from './server-context.ts';

type Features = NonNullable<Configuration['features']>;

/** Draft of Client ID Metadata Documents that is known to work; a new draft of the library does not start until it is reviewed. */
const DOCUMENTS_DRAFT = 'draft-02';

const resourceIndicators = (context: ServerContext): Features['resourceIndicators'] => {
  const { resource, settings } = context;
  return {
    enabled: true,
    defaultResource: (_ctx, _client, oneOf) => oneOf ?? resource,
    useGrantedResource: () => true,
    getResourceServerInfo: (_ctx, indicator) => {
      if (indicator !== resource) throw new errors.InvalidTarget();
      return {
        scope: GATEWAY_SCOPES.join(' '),
        audience: resource,
        accessTokenFormat: 'opaque',
        accessTokenTTL: settings.accessTokenSeconds,
      };
    },
  };
};

/** Reduces the metadata of a registration to what this server uses, and returns an identifier for the client. */
const registeredClientId = (ctx: KoaContextWithOIDC): string => {
  const body = ctx.oidc.body ?? {};
  const outcome = clientMetadataOf(body);
  if (!outcome.ok) throw new errors.InvalidClientMetadata(outcome.problem);
  for (const name of Object.keys(body)) Reflect.deleteProperty(body, name);
  Object.assign(body, outcome.metadata);
  return randomBytes(24).toString('base64url');
};

/** Returns the parts of the protocol that the server offers. Parts that no MCP client needs are off. */
export const providerFeatures = (context: ServerContext): Features => {
  const { settings, documents } = context;
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    claimsParameter: { enabled: false },
    resourceIndicators: resourceIndicators(context),
    deviceFlow: deviceFlow(),
    introspection: {
      enabled: true,
      // A client learns about its own tokens only.
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    registration: {
      enabled: settings.registration.enabled,
      initialAccessToken: false,
      issueRegistrationAccessToken: false,
      idFactory: registeredClientId,
    },
    clientIdMetadataDocument: {
      enabled: settings.clientIdMetadataDocuments.enabled,
      ack: DOCUMENTS_DRAFT,
      allowFetch: (_ctx, clientId) => documents.mayFetch(clientId),
    },
  };
};
