{{- define "wakestone.labels" -}}
app.kubernetes.io/name: wakestone
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "wakestone.selector" -}}
app.kubernetes.io/name: wakestone
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: node
{{- end }}
{{- define "wakestone.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- define "wakestone.claim" -}}
{{ .Values.storage.existingClaim | default (printf "%s-data" .Release.Name) }}
{{- end }}
{{/* What every container of the Pod has: settings, the folder of everything, and /tmp, where they meet. */}}
{{- define "wakestone.container" -}}
image: {{ include "wakestone.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom:
  - configMapRef: { name: {{ .Release.Name }}-settings }
  - secretRef: { name: {{ .Values.existingSecret }} }
volumeMounts:
  - { name: data, mountPath: /var/lib/wakestone }
  - { name: tmp, mountPath: /tmp }
  - { name: run, mountPath: /run/wakestone }
{{- end }}
{{- define "wakestone.locked" -}}
securityContext:
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
  seccompProfile: { type: RuntimeDefault }
{{- end }}
{{/* Who may place servers is the Pod; sandboxes within are not shown this. */}}
{{- define "wakestone.token" -}}
{{- if .Values.games.enabled }}
- { name: token, mountPath: /var/run/secrets/kubernetes.io/serviceaccount, readOnly: true }
{{- end }}
{{- end }}
{{/* Names, the internet, and of private networks what is named; never the address of the cloud's own data. */}}
{{- define "wakestone.egress" -}}
- to:
    - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } }
  ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, 100.64.0.0/10]
    - ipBlock:
        cidr: ::/0
        except: [fc00::/7, fe80::/10]
    {{- range .Values.networkPolicy.privateEgress }}
    - ipBlock: { cidr: {{ . }} }
    {{- end }}
{{- end }}
