import { z } from 'zod';
import { forwardedList, texts } from './kubernetes.ts';
import { networkEgress } from './network-egress.ts';

/** Objects that expose the portal. Host and path come from `publicUrl`. */
export const portalExposureValues = {
  ingress: z
    .strictObject({
      enabled: z.boolean().default(false).meta({
        description: 'Whether to create an Ingress for the host and the path of `publicUrl`.',
      }),
      className: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'Class of the Ingress. Unset: the default of the cluster.' }),
      labels: texts('Further labels of the Ingress.'),
      annotations: texts('Annotations of the Ingress.', {
        'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
      }),
      tlsSecret: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'Secret with the certificate. Unset: that of the controller.' }),
    })
    .prefault({})
    .meta({ description: 'The Ingress.' }),
  httpRoute: z
    .strictObject({
      enabled: z.boolean().default(false).meta({
        description: 'Whether to create an HTTPRoute for the host and the path of `publicUrl`.',
      }),
      labels: texts('Further labels of the HTTPRoute.'),
      annotations: texts('Annotations of the HTTPRoute.'),
      parentRefs: forwardedList('Gateways of the route.', [
        { name: 'public', namespace: 'gateways' },
      ]),
      filters: forwardedList('Filters of the route.'),
    })
    .prefault({})
    .meta({ description: 'The HTTPRoute (`gateway.networking.k8s.io/v1`).' }),
  networkPolicy: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether to create a NetworkPolicy.' }),
      from: forwardedList(
        'Peers with access to the portal, such as the controller of the Ingress or Gateway.',
        [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
      ),
      egress: networkEgress('the addresses of the services'),
    })
    .prefault({})
    .meta({ description: 'The NetworkPolicy of the pods.' }),
};
