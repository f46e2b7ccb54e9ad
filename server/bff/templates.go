package bff

import (
	"net/http"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/templates"
)

// templateFiles serves the forms of our own with which people begin, at whichever tenant.
type templateFiles struct {
	sessions signedIn
	list     []byte
	files    map[string][]byte
	log      journal
}

func newTemplateFiles(sessions signedIn, log journal) (*templateFiles, error) {
	all, err := templates.All()
	if err != nil {
		return nil, err
	}
	t := &templateFiles{sessions: sessions, files: map[string][]byte{}, log: log}
	var list []any
	for _, of := range all {
		f, err := of.Form()
		if err != nil {
			return nil, err
		}
		envelope, _ := schema.Decode(of.Envelope)
		scenarios, _ := schema.Decode(of.Scenarios)
		t.files[of.Short()] = schema.Encode(schema.NewObject(schema.Member{Key: "file", Value: envelope}, schema.Member{Key: "scenarios", Value: scenarios}))
		o := overview(f.Tree())
		list = append(list, schema.NewObject(
			schema.Member{Key: "id", Value: of.Short()}, schema.Member{Key: "name", Value: f.Name}, schema.Member{Key: "about", Value: of.About},
			schema.Member{Key: "nodes", Value: o.Object("nodes")}, schema.Member{Key: "edges", Value: o.Text("edges")}))
	}
	t.list = schema.Encode(list)
	return t, nil
}

// read answers GET /bff/templates and GET /bff/templates/{id}.
func (t *templateFiles) read(w http.ResponseWriter, r *http.Request) {
	if _, p := t.sessions.current(w, r); p != nil {
		p.Write(w, r)
		return
	}
	body := t.list
	if id := r.PathValue("id"); id != "" {
		if body = t.files[id]; body == nil {
			httpx.NewProblem(http.StatusNotFound, httpx.CodeNotFound, "There is no template with this name.").Write(w, r)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(body); err != nil {
		t.log.warn(r.Context(), "write a template", err)
	}
}
