package words

// Account holds the texts of the page of one's own account.
type Account struct {
	// Profile and what the sections are called.
	Profile, NoName, EMail, Ways, Places, PlacesText, Applications, ApplicationsText string

	// Ways to sign in.
	Password, PasswordText, NoPassword, ChangePassword, SetPassword, NewPassword, ShowPassword, PasswordRule, PasswordDone string
	EndOthers, PasswordDoneOthers                                                                                          string
	Passkeys, PasskeysText, Passkey, AddPasskey, NoPasskeys, CannotPasskey, PasskeyDone, PasskeyFailed, Synced, OneDevice  string
	Apps, AppsText, App, AddApp, AppScan, AppPicture, AppOpen, AppSecret, AppCode, AppCodeText, AppCheck, AppDone          string
	Recovery, RecoveryText, MakeRecovery, RenewRecovery, RecoveryCode, RecoveryShown, RecoveryKept, RecoveryDone           string
	RecoveryReplace, RecoveryReplaceText, RecoveryReplaced                                                                 string

	// Of each method.
	Added, LastUsed, NeverUsed, Rename, RenameOf, NameIt, NameItText, MethodName, Renamed, NotNow, Deleted, DeleteMethod, DeleteMethodText string
	CopyCode, CodeWord, CopyKey, KeyWord                                                                                                   string

	// Where somebody is signed in.
	SomeDevice, DeviceOn, SignedIn, SignedInFrom, ThisBrowser, OnlyApplications, BrowserAlone, InApplications string
	EndOne, EndOneOf, EndOneAsk, EndOneText, EndHere, EndHereText, EndedOne                                   string
	Everywhere, EverywhereText, EverywhereDone                                                                string

	// Applications.
	NoApplications, Since, TakeBack, TakeBackOf, TakeBackText, TookBack, WhatItMay string
	MayList                                                                        string // a resource and what may be done with it

	// The page as a whole.
	Loading, SignedOutText, Denied, ConfirmYou, ConfirmYouText, Confirm, Confirmed string

	// Scopes by their names, what their verbs and the things they are about are called.
	Scopes, Verbs, Things [][2]string
}
