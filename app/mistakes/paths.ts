export const mistakesPath = '/transparency/mistakes'
