/** What the driver of Kubernetes takes of its client library, most of which nobody here needs: one file where it runs. */
export {
  ApiException,
  AppsV1Api,
  AuthorizationV1Api,
  BatchV1Api,
  CoreV1Api,
  createConfiguration,
  HttpMethod,
  KubeConfig,
  makeInformer,
  NetworkingV1Api,
  ServerConfiguration,
} from '@kubernetes/client-node'
