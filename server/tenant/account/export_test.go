package account

// SharesWith reports whether two handlers share what they keep in memory.
func (h *Handler) SharesWith(o *Handler) bool {
	return h.limit == o.limit && h.wrong == o.wrong && h.hashing == o.hashing
}

// ReadDevice is readDevice.
var ReadDevice = readDevice
