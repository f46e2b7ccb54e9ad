package deploytests

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

// kustomization is the part of the format of kustomization.yaml that is used.
type kustomization struct {
	metav1.TypeMeta `json:",inline"`

	Namespace string   `json:"namespace"`
	Resources []string `json:"resources"`
}

// cluster holds the decoded manifests.
type cluster struct {
	namespace  corev1.Namespace
	account    corev1.ServiceAccount
	config     corev1.ConfigMap
	deployment appsv1.Deployment
	ingress    networkingv1.Ingress
	budget     policyv1.PodDisruptionBudget
	policy     networkingv1.NetworkPolicy
	services   map[string]corev1.Service
	secrets    map[string]corev1.Secret
}

// decode reads all documents of a file. A field that the API does not have, or that occurs twice, is an error.
func (c *cluster) decode(t *testing.T, name string) {
	t.Helper()
	for text := range strings.SplitSeq(read(t, "kubernetes", name), "\n---\n") {
		doc := []byte(text)
		var meta metav1.TypeMeta
		if err := yaml.Unmarshal(doc, &meta); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var service corev1.Service
		var secret corev1.Secret
		kinds := map[string]any{
			"v1 Namespace": &c.namespace, "v1 ServiceAccount": &c.account, "v1 ConfigMap": &c.config, "apps/v1 Deployment": &c.deployment,
			"networking.k8s.io/v1 Ingress": &c.ingress, "policy/v1 PodDisruptionBudget": &c.budget,
			"networking.k8s.io/v1 NetworkPolicy": &c.policy, "v1 Service": &service, "v1 Secret": &secret,
		}
		kind := meta.APIVersion + " " + meta.Kind
		into, ok := kinds[kind]
		if !ok {
			t.Fatalf("%s: kind %q is not checked by this test", name, kind)
		}
		if err := yaml.UnmarshalStrict(doc, into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch meta.Kind {
		case "Service":
			c.services[service.Name] = service
		case "Secret":
			c.secrets[secret.Name] = secret
		}
	}
}

// manifests decodes every file of the folder.
func manifests(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{services: map[string]corev1.Service{}, secrets: map[string]corev1.Secret{}}
	var k kustomization
	if err := yaml.UnmarshalStrict([]byte(read(t, "kubernetes", "kustomization.yaml")), &k); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join("..", "kubernetes"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "kustomization.yaml" {
			continue
		}
		c.decode(t, e.Name())
		// Secrets are created by hand, so that nobody applies the values of the example.
		if listed := slices.Contains(k.Resources, e.Name()); listed == (e.Name() == "secrets.example.yaml") {
			t.Errorf("%s is in kustomization.yaml: %v", e.Name(), listed)
		}
	}
	if len(k.Resources) != len(entries)-2 {
		t.Errorf("kustomization.yaml lists %v, and the folder has %v", k.Resources, entries)
	}
	if k.Namespace != c.namespace.Name {
		t.Errorf("kustomization.yaml has the namespace %s", k.Namespace)
	}
	return c
}

func (c *cluster) container(t *testing.T) *corev1.Container {
	t.Helper()
	spec := &c.deployment.Spec.Template.Spec
	if len(spec.Containers) != 1 {
		t.Fatalf("%d containers, want 1", len(spec.Containers))
	}
	return &spec.Containers[0]
}

func TestKubernetesNamesAndNamespaces(t *testing.T) {
	c := manifests(t)
	objects := []metav1.ObjectMeta{
		c.account.ObjectMeta, c.config.ObjectMeta, c.deployment.ObjectMeta, c.ingress.ObjectMeta, c.budget.ObjectMeta, c.policy.ObjectMeta,
	}
	for _, s := range c.services {
		objects = append(objects, s.ObjectMeta)
	}
	for _, s := range c.secrets {
		objects = append(objects, s.ObjectMeta)
	}
	for _, o := range objects {
		if bad := validation.IsDNS1123Subdomain(o.Name); len(bad) > 0 || o.Namespace != c.namespace.Name {
			t.Errorf("%s in %q: %v", o.Name, o.Namespace, bad)
		}
	}
}

func TestKubernetesSelectorsMatchPods(t *testing.T) {
	c := manifests(t)
	pods := labels.Set(c.deployment.Spec.Template.Labels)
	selectors := map[string]*metav1.LabelSelector{
		"deployment": c.deployment.Spec.Selector, "budget": c.budget.Spec.Selector, "policy": &c.policy.Spec.PodSelector,
	}
	for _, s := range c.deployment.Spec.Template.Spec.TopologySpreadConstraints {
		selectors["spread over "+s.TopologyKey] = s.LabelSelector
	}
	for name, s := range c.services {
		selectors["service "+name] = &metav1.LabelSelector{MatchLabels: s.Spec.Selector}
	}
	for name, s := range selectors {
		matches, err := metav1.LabelSelectorAsSelector(s)
		if err != nil || matches.Empty() || !matches.Matches(pods) {
			t.Errorf("%s selects %v, the pods have %v (%v)", name, s, pods, err)
		}
	}
}

// port returns the number of a port of the container.
func (c *cluster) port(t *testing.T, at intstr.IntOrString) int32 {
	t.Helper()
	for _, p := range c.container(t).Ports {
		if at.StrVal == p.Name || at.StrVal == "" && at.IntVal == p.ContainerPort {
			return p.ContainerPort
		}
	}
	t.Errorf("the container has no port %s", at.String())
	return 0
}

// Each public address leads through the ingress and its service to the listener that has it.
func TestKubernetesRoutesLeadToListeners(t *testing.T) {
	c := manifests(t)
	env := c.environment(t)
	hosts := map[string]string{} // by the name of the port
	for _, rule := range c.ingress.Spec.Rules {
		if !slices.Contains(c.ingress.Spec.TLS[0].Hosts, rule.Host) {
			t.Errorf("%s has no TLS", rule.Host)
		}
		backend := rule.HTTP.Paths[0].Backend.Service
		service, ok := c.services[backend.Name]
		if !ok || len(service.Spec.Ports) != 1 || service.Spec.Ports[0].Name != backend.Port.Name {
			t.Errorf("%s leads to %s:%s, which does not exist", rule.Host, backend.Name, backend.Port.Name)
			continue
		}
		port := service.Spec.Ports[0].TargetPort
		hosts[port.StrVal] = rule.Host
		if !slices.ContainsFunc(c.policy.Spec.Ingress[0].Ports, func(p networkingv1.NetworkPolicyPort) bool { return *p.Port == port }) {
			t.Errorf("network.yaml does not let %s in", port.StrVal)
		}
	}
	for name, option := range map[string]string{"editor": "PUBLIC", "tenant": "TENANT", "sample": "SAMPLE"} {
		if got := "https://" + hosts[name]; got != env["FORMGRAPH_"+option+"_URL"] {
			t.Errorf("FORMGRAPH_%s_URL is %s, and the ingress has %s", option, env["FORMGRAPH_"+option+"_URL"], got)
		}
		listen := env["FORMGRAPH_"+strings.TrimPrefix(option+"_", "PUBLIC_")+"LISTEN"]
		if want := intstr.FromInt32(c.port(t, intstr.FromString(name))); listen != ":"+want.String() {
			t.Errorf("the %s listens on %s, and the container's port is %s", name, listen, want.String())
		}
	}
}

// environment returns the container's variables.
func (c *cluster) environment(t *testing.T) settings {
	t.Helper()
	env := settings{}
	container := c.container(t)
	for _, from := range container.EnvFrom {
		if from.ConfigMapRef == nil || from.ConfigMapRef.Name != c.config.Name {
			t.Fatalf("envFrom names %v, want the ConfigMap %s", from, c.config.Name)
		}
		maps.Copy(env, c.config.Data)
	}
	for _, e := range container.Env {
		if _, twice := env[e.Name]; twice || e.Value == "" {
			t.Errorf("%s occurs twice or is empty", e.Name)
		}
		env[e.Name] = e.Value
	}
	return env
}

// mounted returns the content of the files of all mounted Secrets.
func (c *cluster) mounted(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	container := c.container(t)
	for _, v := range c.deployment.Spec.Template.Spec.Volumes {
		i := slices.IndexFunc(container.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == v.Name })
		if i < 0 {
			t.Errorf("volume %s is not mounted", v.Name)
			continue
		}
		if v.Secret == nil {
			continue
		}
		if *v.Secret.DefaultMode != 0o400 || !container.VolumeMounts[i].ReadOnly {
			t.Errorf("%s is mounted with mode %o", v.Name, *v.Secret.DefaultMode)
		}
		for _, item := range v.Secret.Items {
			text, ok := c.secrets[v.Secret.SecretName].StringData[item.Key]
			if !ok {
				t.Errorf("Secret %s has no %s", v.Secret.SecretName, item.Key)
			}
			files[container.VolumeMounts[i].MountPath+"/"+item.Path] = text
		}
	}
	for _, m := range container.VolumeMounts {
		if !slices.ContainsFunc(c.deployment.Spec.Template.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name }) {
			t.Errorf("there is no volume %s", m.Name)
		}
	}
	return files
}

func TestKubernetesEnvironment(t *testing.T) {
	c := manifests(t)
	files := c.mounted(t)
	cfg := c.environment(t).check(t, files)
	if cfg.Database == "" || cfg.Tenant.AdminPassword == "" || len(cfg.TrustedProxies) == 0 {
		t.Error("the database, the first password or the proxy is missing")
	}
	if _, ok := files[cfg.Keys]; !ok {
		t.Errorf("no Secret is mounted at FORMGRAPH_KEYS=%s", cfg.Keys)
	}
	// The data folder must be inside a volume, not be one: the server gives it mode 0700, and the volume belongs to root.
	if !slices.ContainsFunc(c.container(t).VolumeMounts, func(m corev1.VolumeMount) bool {
		return filepath.Dir(cfg.Data) == m.MountPath && !m.ReadOnly
	}) {
		t.Errorf("FORMGRAPH_DATA=%s is not directly below a volume", cfg.Data)
	}
}

func TestKubernetesRollingRestartLosesNothing(t *testing.T) {
	c := manifests(t)
	d, container := c.deployment.Spec, c.container(t)
	if *d.Replicas < 2 || d.Strategy.RollingUpdate.MaxUnavailable.IntVal != 0 || d.Strategy.RollingUpdate.MaxSurge.IntVal < 1 {
		t.Error("an old pod would end before a new one is ready")
	}
	pause := time.Duration(container.Lifecycle.PreStop.Sleep.Seconds) * time.Second
	grace := time.Duration(*d.Template.Spec.TerminationGracePeriodSeconds) * time.Second
	if pause <= 0 || grace <= pause+drain {
		t.Errorf("grace period %v, preStop %v, drain %v: the pod would be killed", grace, pause, drain)
	}
	if c.budget.Spec.MaxUnavailable.IntVal >= *d.Replicas {
		t.Error("the budget allows to evict all pods")
	}
	for name, p := range map[string]struct {
		probe *corev1.Probe
		path  string
	}{
		"startup": {container.StartupProbe, "/healthz"}, "liveness": {container.LivenessProbe, "/healthz"},
		"readiness": {container.ReadinessProbe, "/readyz"},
	} {
		if p.probe.HTTPGet.Path != p.path || c.port(t, p.probe.HTTPGet.Port) != 8080 {
			t.Errorf("%s asks %s", name, p.probe.HTTPGet)
		}
		// /readyz waits 2 seconds for the database.
		if p.probe.TimeoutSeconds <= 2 {
			t.Errorf("%s waits %d s", name, p.probe.TimeoutSeconds)
		}
	}
}

// The pods must satisfy the profile that the namespace enforces. https://kubernetes.io/docs/concepts/security/pod-security-standards/
func TestKubernetesRestrictedProfile(t *testing.T) {
	c := manifests(t)
	if c.namespace.Labels["pod-security.kubernetes.io/enforce"] != "restricted" {
		t.Error("the namespace does not enforce the restricted profile")
	}
	pod, s := c.deployment.Spec.Template.Spec, c.container(t).SecurityContext
	p := pod.SecurityContext
	if !*p.RunAsNonRoot || *p.RunAsUser != user || *p.FSGroup != user || p.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("pod runs as %+v", p)
	}
	if *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || !slices.Equal(s.Capabilities.Drop, []corev1.Capability{"ALL"}) ||
		len(s.Capabilities.Add) > 0 {
		t.Errorf("container runs with %+v", s)
	}
	if pod.ServiceAccountName != c.account.Name || *pod.AutomountServiceAccountToken || *c.account.AutomountServiceAccountToken {
		t.Error("the pods get a token of the cluster")
	}
	if r := c.container(t).Resources; r.Requests.Cpu().IsZero() || r.Requests.Memory().IsZero() || r.Limits.Memory().IsZero() {
		t.Error("requests or limits are missing")
	}
	if !pinned(c.container(t).Image) {
		t.Errorf("image %s has no exact version", c.container(t).Image)
	}
}
