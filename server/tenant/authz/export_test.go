package authz

// SharesWith reports whether both handlers have the same limits and the same queue of notices.
func (h *Handler) SharesWith(o *Handler) bool { return h.core == o.core && h.Queue == o.Queue }
